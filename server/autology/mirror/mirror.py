"""One run of a mirror: everything of this machine into the shared folder, everything of the others from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field

from autology import private_files
from autology.core.conversations.transcripts import Archive
from autology.core.long_work import Progress
from autology.files import lock
from autology.mirror import address, names, sessions
from autology.mirror.local_memories import LocalMemories
from autology.mirror.machine_log import Answer, Record, decoded
from autology.mirror.memories import Conflict, MemoryChanges, MemoryExchange
from autology.mirror.names import LogFile, log_file
from autology.mirror.ports import Answers, SharedFolder
from autology.mirror.sessions import Listing, SessionChanges
from autology.mirror.state import STEP, MirrorState
from autology.mirror.versions import History, Version
from autology.model.errors import StorageError, ValidationError

Stage = Callable[[str], AbstractContextManager[Progress]]
"""Shows the progress of a stage with that label."""


@dataclass(frozen=True, slots=True)
class MirrorOptions:
    """How to run: *dry* changes nothing; *again* fills a known folder that was emptied; *skips_gaps* does not wait for
    what is missing before it; *keep* and *take* end a conflict, with the text here or the other one."""

    dry: bool = False
    again: bool = False
    skips_gaps: bool = False
    keep: str = ""
    take: str = ""


@dataclass(slots=True)
class MirrorReport:
    """What a run did; *machines* are the others, *sent_files* were written to *place*, *waiting* could not be read."""

    place: str
    machine: str
    machines: list[str] = field(default_factory=list)
    memories: MemoryChanges = field(default_factory=MemoryChanges)
    sent: SessionChanges = field(default_factory=SessionChanges)
    received: SessionChanges = field(default_factory=SessionChanges)
    answers: int = 0
    sent_files: int = 0
    waiting: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MirrorStatus:
    """The mirrors of this machine: its name there, the folders used, the last first, and the open conflicts."""

    machine: str
    targets: tuple[str, ...]
    conflicts: tuple[Conflict, ...]


def status_in(folder: str) -> MirrorStatus:
    """Return what the state in *folder* tells of the mirrors, without looking at any of them."""
    state = MirrorState(folder)
    conflicts = tuple(Conflict(memory, (), state.conflict_file(memory)) for memory in sorted(state.conflicts))
    return MirrorStatus(state.machine, tuple(state.targets), conflicts)


class Mirror:
    """The mirror of one user on one machine, whose state lies in *folder*.

    *is_excluded* tells whether sessions of a project's folder stay here; *forget* is called with the name of each
    transcript that is about to change.
    """

    def __init__(
        self,
        folder: str,
        host: str,
        memories: LocalMemories,
        store: Archive,
        answers: Answers,
        is_excluded: Callable[[str], bool],
        forget: Callable[[str], None],
    ) -> None:
        self._folder = folder
        self._host = host
        self._memories = memories
        self._store = store
        self._answers = answers
        self._is_excluded = is_excluded
        self._forget = forget

    def run(self, wanted: str | None, here: str, options: MirrorOptions, stage: Stage) -> MirrorReport:
        """Mirror with the folder *wanted*, relative to *here*, or with the last one.

        Raises:
            ValidationError: there is no such folder, or no such conflict.
            BusyError: another process is mirroring.
            StorageError: something cannot be read or written; what was done stays, and the next run goes on.
        """
        with nullcontext() if options.dry else self._locked():
            state = MirrorState(self._folder)
            place = address.normalised(wanted, here) if wanted else next(iter(state.targets), "")
            if not place:
                step = "Give a folder that both machines see, or ssh:HOST: `autology mirror ~/Sync/autology`."
                raise ValidationError("target", "nothing was mirrored yet", step)
            shared = address.opened(place, os.path.dirname(self._folder), place in state.targets and not options.again)
            listing = shared.files()
            self._check_known(state, place, listing, options)
            run = _Run(state, shared, listing, options, stage, self._memories)
            run.begin(self._host)
            run.exchange_memories(self._answers)
            if not options.dry:
                with _saving(state):
                    run.send_log()
                    state.targets = [place, *(other for other in state.targets if other != place)]
                    run.exchange_sessions(self._store, self._is_excluded, self._forget)
            else:
                run.exchange_sessions(self._store, self._is_excluded, self._forget)
            return run.report

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            private_files.folder(self._folder)
        except OSError as error:
            raise StorageError(self._folder, error.strerror or str(error), STEP) from None
        with lock.held(os.path.join(self._folder, "lock"), "the mirror"):
            yield

    def _check_known(self, state: MirrorState, place: str, listing: Listing, options: MirrorOptions) -> None:
        if place in state.targets and state.machine not in listing and not options.again:
            problem = f"'{place}' was mirrored before, and holds nothing of this machine now"
            step = "Connect the disk or let the syncing program finish; to fill it again, add --again."
            raise ValidationError("target", problem, step)


@contextmanager
def _saving(state: MirrorState) -> Iterator[None]:
    """Save the state at the end, and as far as possible after a failure."""
    try:
        yield
    except BaseException:
        with suppress(StorageError):
            state.save()
        raise
    state.save()


class _Run:
    """One run, step by step."""

    def __init__(
        self,
        state: MirrorState,
        shared: SharedFolder,
        listing: Listing,
        options: MirrorOptions,
        stage: Stage,
        memories: LocalMemories,
    ) -> None:
        self._state = state
        self._shared = shared
        self._listing = listing
        self._options = options
        self._stage = stage
        self._memories = memories
        self._history = History()
        self._answers: dict[str, Answer] = {}
        self._logged: set[str] = set()
        self.report = MirrorReport(shared.place, state.machine)

    def begin(self, host: str) -> None:
        """Read the own log; this machine gets another name if its log is not what it wrote."""
        state = self._state
        records = state.records() if state.machine else []
        for record in records or ():
            self._add(record)
        there = {name for name in self._listing.get(state.machine, {}) if log_file(name)}
        is_own = records is not None and there <= (state.log() or {}).keys()
        if state.machine and is_own:
            self._logged = {_key(record) for record in records or ()}
        else:
            # A copied home, or one restored from a backup: two machines must never write in one folder.
            state.rename(names.new_machine(host))
        self.report.machine = state.machine

    def _add(self, record: Record) -> None:
        if isinstance(record, Version):
            self._history.add(record)
        else:
            self._answers[record.line] = record

    # ---- memories ------------------------------------------------------------------------------------

    def exchange_memories(self, answers: Answers) -> None:
        """Take in what others wrote and what changed here, log it, and change local files."""
        options, state = self._options, self._state
        with self._stage("reading the mirror") as progress:
            self._read_others(progress)
        exchange = MemoryExchange(state, self._history, self._memories)
        self.report.memories = exchange.done
        local = {line for line in answers.lines() if len(line.split()) == 2}
        exchange.take_local()
        if options.keep or options.take:
            exchange.decide(options.keep or options.take, bool(options.take))
        exchange.settle()
        missing = [line for line in self._answers if line not in local]
        for line in local:
            self._answers.setdefault(line, Answer(line))
        self.report.answers = len(missing)
        if options.dry:
            exchange.apply(dry=True)
            return
        new = [one for one in (*self._history, *self._answers.values()) if _key(one) not in self._logged]
        state.append(new)
        with _saving(state):
            exchange.apply()
            for line in missing:
                answers.add(*line.split())

    def _read_others(self, progress: Progress) -> None:
        others = [machine for machine in sorted(self._listing) if machine != self._state.machine]
        self.report.machines = [names.label_of(machine) for machine in others]
        wanted = [(machine, file) for machine in others for file in self._unread(machine)]
        stuck: set[str] = set()
        places = [(machine, file.name) for machine, file in wanted]
        for at, ((machine, file), (_, data)) in enumerate(zip(wanted, self._shared.read(places), strict=True)):
            progress(at, len(wanted))
            if machine in stuck:
                self.report.waiting += 1
                continue
            if data is None or not file.holds(data):
                self.report.waiting += 1
                if not self._options.skips_gaps:
                    stuck.add(machine)
                self.report.notes.append(_incomplete(machine, file.name))
                continue
            records, unusable = decoded(data)
            for record in records:
                self._add(record)
            if unusable:
                self.report.notes.append(f"{machine}/{file.name}: {unusable} lines are not valid, and were left out")
            self._state.read_logs.setdefault(machine, []).append(file.name)

    def _unread(self, machine: str) -> Iterator[LogFile]:
        """Yield the unread log files of a machine, up to the first gap: later ones build on what is missing."""
        files = sorted(file for name in self._listing[machine] if (file := log_file(name)))
        known = set(self._state.read_logs.get(machine, ()))
        number = 0
        for position, file in enumerate(files):
            if file.number > number + 1 and not self._options.skips_gaps:
                left = len(files) - position
                self.report.waiting += left
                which = f"{names.label_of(machine)}: a file before {file.name}"
                self.report.notes.append(f"{which} is not there yet; {left} wait for it")
                return
            number = file.number
            if self._listing[machine][file.name] > names.LARGEST_FILE:
                self.report.waiting += 1
                self.report.notes.append(_incomplete(machine, file.name))
                if not self._options.skips_gaps:
                    return
            elif file.name not in known:
                yield file

    # ---- the folder ----------------------------------------------------------------------------------

    def send_log(self) -> None:
        """Write the files of the own log that the folder lacks. Raises StorageError."""
        there = self._listing.get(self._state.machine, {})
        batch: list[tuple[str, bytes]] = []
        for file in (self._state.log() or {}).values():
            data = self._state.log_data(file)
            if data is None or there.get(file.name) == len(data):
                continue
            batch.append((file.name, data))
            self.report.sent_files += 1
            if sum(len(one) for _, one in batch) > sessions.SENT_BYTES:
                self._shared.write(self._state.machine, batch)
                batch = []
        if batch or not there:
            self._shared.write(self._state.machine, batch)

    def exchange_sessions(
        self, store: Archive, is_excluded: Callable[[str], bool], forget: Callable[[str], None]
    ) -> None:
        """Send own sessions, and import those of others. Raises StorageError."""
        state, folder, listing, dry = self._state, self._shared, self._listing, self._options.dry
        with self._stage("sending sessions") as progress:
            self.report.sent = sessions.send(state, store, folder, listing, is_excluded, progress, dry)
        with self._stage("receiving sessions") as progress:
            self.report.received = sessions.receive(state, store, folder, listing, forget, progress, dry)


def _key(record: Record) -> str:
    return record.name if isinstance(record, Version) else record.line


def _incomplete(machine: str, name: str) -> str:
    whose = names.label_of(machine)
    return f"{machine}/{name} is incomplete or damaged: wait until it is synced, or run the command on {whose} again"

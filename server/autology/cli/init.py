"""``autology init``: set up .autology, and adopt the records that the project has already."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from autology import detached
from autology.cli import merge_offer
from autology.cli.merge_offer import MergeOffer
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.adoption import dates_from_commits, folders_to_adopt
from autology.core.conversations.mining import SETTLED, Candidate
from autology.core.importing import older_index_relations
from autology.core.importing.older_index_relations import MovedRelations, PendingRelations
from autology.core.nodes.first_question import QUESTIONS, first_answers
from autology.core.records.collection import Collection, Discovery
from autology.model.errors import AutologyError, ValidationError
from autology.model.node import is_uuid4
from autology.text.adr.plain import cut
from autology.text.documents.client_memory import is_client_memory
from autology.text.language.plural import counted
from autology.text.line_wrap import width
from autology.text.sanitising import clean_block
from autology.wire.project import Project

EXAMPLES = """\
autology init
autology init --dry-run
autology init --yes --project ../other"""
JSON = """\
{project, folders: those whose records are adopted, documents: their number, sessions: number of past sessions here,
 collections: [{folder, count, kind}], left_out: {reason: number of files}, records: number of adopted records,
 done: {adopted, copies, older_relations} or null if nothing was done,
 answers: [{question, id, title, path, passage}], merge_driver: whether git merges notes field by field}"""
DECISION_CHARACTERS = 400
"""Maximum characters quoted of a decision."""
ANSWER_CHARACTERS = 1_200
ANSWER_LINES = (6, 3, 3)
"""Maximum characters of an answer, and lines of a terminal that each takes."""
MARGIN = "   "


@dataclass(frozen=True, slots=True)
class Existing:
    """What the project has already: collections of records, documents, past sessions, and an older index."""

    discovery: Discovery
    documents: int
    sessions: int
    older: PendingRelations
    merge: MergeOffer | None = None
    adopted: tuple[str, ...] = ()
    """The folders that the configuration names already."""

    @property
    def new(self) -> list[str]:
        """The folders whose records are not adopted yet."""
        known = [f"{folder}/" for folder in self.adopted]
        return [one for one in self.folders if one not in self.adopted and not one.startswith(tuple(known))]

    @property
    def folders(self) -> list[str]:
        """The folders whose records can be adopted."""
        return folders_to_adopt.folders(self.discovery)

    @property
    def records(self) -> int:
        """The number of records in them."""
        return len(self.discovery.records)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question that the project answers now: by the source with that id, title and path, which says *passage*."""

    question: str
    id: str
    title: str
    path: str
    passage: str


@dataclass(frozen=True, slots=True)
class Done:
    """What was adopted: whether the configuration changed, the copies that became sidecars, older relations added."""

    adopted: int
    copies: int
    older: MovedRelations


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--yes", action="store_true", help="adopt what is found without asking for confirmation")
    parser.add_argument("--no-merge-driver", action="store_true", help="do not register the git merge driver for notes")
    parser.add_argument("--dry-run", action="store_true", help="show what is found and change nothing")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Set up the project; running it again only adopts new collections."""
    project = project_of(args)
    root, graph = project.root, project.graph
    _refuse_home(root)
    existing = _find(project, not args.no_merge_driver, screen)
    if args.dry_run:
        if screen.json:
            _print_json(root, existing, None, (), screen)
        else:
            screen.line("Dry run: nothing was written.")
        return 0
    agreed = _agreed(bool(existing.new or existing.sessions or existing.older.relations), args.yes, screen)
    if agreed is None:
        if screen.json:
            _print_json(root, existing, None, (), screen)
        screen.say("nothing was written. Confirm with: autology init --yes")
        return 1
    graph.files.create()
    done = _adopt(project, existing, screen) if agreed else None
    last_decision = None
    if agreed and existing.sessions:
        with screen.progress("reading sessions") as progress:
            project.conversations.read_folder(root, progress)
        last_decision = _last_decision(project)
    merging = merge_offer.register(existing.merge, args.yes, screen)
    answers = _answers(project)
    is_behind = bool(done) and project.is_behind
    if is_behind or (done and graph.records and dates_from_commits.undated(graph.records)):
        detached.start(["sync"], root)  # indexes the other texts, and reads dates of records from version control
    if screen.json:
        _print_json(root, existing, done, answers, screen, merging)
    else:
        _show_end(done, answers, screen)
        _show_rest(is_behind, screen)
        merge_offer.show_done(merging, existing.merge, screen)
        _show_sessions(existing.sessions if agreed else 0, last_decision, screen)
        _show_next(screen)
    return 0


def _find(project: Project, merges: bool, screen: Screen) -> Existing:
    """Return what the project has already, shown as it is found: reading texts for records takes longest."""
    root, graph = project.root, project.graph
    if not screen.json:
        _show_project(root, graph.files.exists(), screen)
    texts = {path for path in project.library.files.scan().files if not is_client_memory(path)}
    sessions = project.conversations.sessions_in(root)
    merge = merge_offer.find(project.merge_driver) if merges else None
    if not screen.json:
        _show_counts(len(texts), sessions, screen)
        merge_offer.show(merge, screen)
    screen.begin("looking for records")
    older = older_index_relations.waiting(graph)
    discovery = project.find_records()
    located = {path for record in discovery.records for path in record.paths}
    existing = Existing(discovery, len(texts - located), sessions, older, merge, project.adopted_folders())
    if not screen.json:
        _show_records(existing, screen)
    return existing


def _adopt(project: Project, existing: Existing, screen: Screen) -> Done:
    """Adopt the records that were found; copies of them by an older version become their sidecars."""
    from autology.core.adoption import imported_copies  # what only adopting needs is not loaded before the first screen

    graph = project.graph
    if existing.new:
        project.adopt(existing.new)
    with screen.progress("reading records") as progress:
        graph.refresh(walk=True, progress=progress)
    moved = MovedRelations(0)
    if existing.older.relations:
        with screen.progress("importing relations") as progress:
            moved = older_index_relations.bring_in(graph, existing.older, progress)
    adopted = len(graph.records.snapshot.records) if graph.records else 0
    return Done(adopted, imported_copies.adopt(graph), moved)


def _refuse_home(root: str) -> None:
    if Path(root).resolve() == Path.home().resolve():
        step = "Go to a project's folder first, or name one with --project."
        raise ValidationError("project", "is your home folder, not a project", step)


def _agreed(finds: bool, yes: bool, screen: Screen) -> bool | None:
    """Whether to adopt: False to set up only, None if the user cannot be asked."""
    if yes or not finds:
        return True
    if not screen.can_ask():
        return None
    return screen.confirm("Adopt this?", default=True)


def _show_project(root: str, existed: bool, screen: Screen) -> None:
    """Show what is known before anything is looked for."""
    screen.line(f"{screen.styled('Project', 'bold')}  {screen.safe(root)}")
    screen.line(
        "  .autology exists" if existed else "  .autology will be created: notes, and an index that git ignores"
    )


def _show_counts(texts: int, sessions: int, screen: Screen) -> None:
    if texts:
        count = "1 text" if texts == 1 else f"{texts:,} texts"
        screen.line(f"  {count}: `autology search` answers from them where they lie, nothing to import")
    if sessions:
        screen.line(f"  {counted(sessions, 'past session')} of Claude Code, to be indexed and archived")


def _show_records(existing: Existing, screen: Screen) -> None:
    if existing.records:
        screen.line(f"  {counted(existing.records, 'record')}, which {_become(existing)} where they lie:", "bold")
        for collection in existing.discovery.collections:
            screen.line(f"    {screen.safe(_described(collection), 200)}")
    if left := _left_out(existing):
        screen.line(f"  not records: {', '.join(f'{reason} {count}' for reason, count in left.items())}")
    if existing.older.relations:
        count = counted(len(existing.older.relations), "relation")
        screen.line(f"  {count} found only in an older index, to be added to their notes")
    screen.line()


def _become(existing: Existing) -> str:
    return "becomes a node" if existing.records == 1 else "become nodes"


def _described(collection: Collection) -> str:
    """Return one line about a collection: its folder, how many records of which kind, their statuses."""
    statuses = Counter(record.status.value if record.status else "no known status" for record in collection.records)
    counts = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    stated = counts if collection.convention.states_status else "none states a status: they count as accepted"
    return f"{collection.folder or '.'}: {counted(len(collection.records), collection.kind)} ({stated})"


def _left_out(existing: Existing) -> dict[str, int]:
    """Return how many files in the collections are no records, by reason."""
    counts: Counter[str] = Counter()
    for collection in existing.discovery.collections:
        for one in collection.left_out:
            counts[one.reason.value] += one.count
    return dict(counts.most_common())


def _answers(project: Project) -> list[Answer]:
    """Return questions that the project answers now: from its records, then from its documents."""
    answers = [
        Answer(one.question, one.hit.node.id, one.hit.node.title, one.hit.path, one.passage)
        for one in first_answers(project.graph)
    ]
    if len(answers) < QUESTIONS:
        from autology.core.documents.first_questions import document_answers  # a project with records has enough

        with suppress(AutologyError):  # what can be asked is not worth a failure
            answers += [
                Answer(one.question, one.hit.source.id, one.hit.source.title, one.hit.source.path, one.hit.passage)
                for one in document_answers(project.library, QUESTIONS - len(answers))
            ]
    return answers


def _last_decision(project: Project) -> Candidate | None:
    """Return what past sessions settled last that holds now and that no note says."""
    with suppress(AutologyError):  # what is worth a note is not worth a failure
        return next((one for one in project.mined_queue.waiting() if one.kind == SETTLED), None)
    return None


def _show_end(done: Done | None, answers: Sequence[Answer], screen: Screen) -> None:
    if done is None:
        screen.line("✓ .autology is set up; nothing was adopted, as you chose. To do it later: autology init --yes")
    elif done.adopted:
        screen.line(f"✓ {counted(done.adopted, 'record')} adopted; their own files stay the only text.", "green")
    else:
        screen.line("✓ .autology is set up.", "green")
    if done and done.copies:
        screen.line(f"  {counted(done.copies, 'imported copy', 'became')} what Autology keeps beside the record.")
    if done and done.older.count:
        screen.line(f"  {counted(done.older.count, 'relation')} imported from an older index")
    if done and not done.adopted:
        screen.line("No decision records found; none are needed to begin.")
        screen.line("Save a first note:")
        screen.line('  autology capture --title "Use SQLite for the index" --type decision -e')
    _show_answers(answers, screen)


def _show_rest(is_behind: bool, screen: Screen) -> None:
    if is_behind:
        screen.line()
        screen.line("More texts are being indexed in the background; searches answer from what is indexed so far.")


def _show_sessions(sessions: int, last_decision: Candidate | None, screen: Screen) -> None:
    if not sessions:
        return
    screen.line()
    read = "was indexed and" if sessions == 1 else "were indexed and"
    screen.line(f"✓ {counted(sessions, 'past session')} {read} can be searched.", "green")
    if last_decision:
        screen.line("  The last decision there, perhaps worth a note:")
        screen.line(f"  “{screen.safe(last_decision.quote, DECISION_CHARACTERS)}”")
        if last_decision.outcome:
            screen.line(f"  then: {screen.safe(last_decision.outcome, DECISION_CHARACTERS)}")
        screen.line("  autology review --mined")


def _show_next(screen: Screen) -> None:
    screen.line()
    screen.line("Next", "bold")
    screen.line("  git add .autology                        share it: the notes are ordinary files")
    screen.line("  claude                                   open this folder in Claude Code, with the plugin:")
    screen.line("    /plugin marketplace add autology/autology")
    screen.line("    /plugin install autology@autology      then ask, or start with /autology:tutorial")
    if sys.platform == "win32":
        from autology.cli import client_python

        for finding in client_python.examine().findings:
            screen.line()
            screen.line(f"! {screen.safe(finding.problem, 1_000)}.")
            screen.line(f"  {finding.fix}")


def _show_answers(answers: Sequence[Answer], screen: Screen) -> None:
    for answer, most in zip(answers, ANSWER_LINES, strict=False):
        screen.line()
        screen.line(screen.safe(answer.question), "bold")
        screen.line(f"{MARGIN}{screen.styled(screen.safe(answer.title), 'cyan')}  {screen.safe(answer.path)}")
        text = clean_block(answer.passage, ANSWER_CHARACTERS)
        lines = [line for line in text.split("\n") if line.strip()]
        shown = _first_lines(lines, most, screen.width - len(MARGIN))
        for line in shown:
            screen.line(f"{MARGIN}{line}")
        if shown != lines or len(answer.passage) > ANSWER_CHARACTERS:
            screen.line(f"{MARGIN}… `autology show {shlex.quote(_short(answer.id))}` prints the rest")
    if answers:
        screen.line()
        screen.line(f'Ask your own: autology search "{screen.safe(answers[0].question).replace(chr(34), chr(39))}"')


def _first_lines(lines: Sequence[str], most: int, columns: int) -> list[str]:
    """Return the first *lines* that take at most *most* lines of *columns* on a terminal; the last one may be cut."""
    shown: list[str] = []
    for line in lines:
        if most < 1:
            break
        shown.append(cut(line, most * columns))
        most -= -(-width(line) // columns)
    return shown


def _short(id: str) -> str:
    return id[:8] if is_uuid4(id) else id


def _print_json(
    root: str,
    existing: Existing,
    done: Done | None,
    answers: Sequence[Answer],
    screen: Screen,
    merging: bool = False,
) -> None:
    collections = existing.discovery.collections
    cached = {"adopted": done.adopted, "copies": done.copies, "older_relations": done.older.count} if done else None
    screen.data(
        {
            "project": root,
            "folders": existing.folders,
            "documents": existing.documents,
            "sessions": existing.sessions,
            "collections": [{"folder": c.folder, "count": len(c.records), "kind": c.kind} for c in collections],
            "left_out": _left_out(existing),
            "records": existing.records,
            "done": cached,
            "answers": [{**asdict(one), "passage": one.passage[:ANSWER_CHARACTERS]} for one in answers],
            "merge_driver": merging,
        }
    )

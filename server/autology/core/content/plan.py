"""The differences between files and index, as a plan; and reading files, in this process or with worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from autology.core.content.files import Stamp
from autology.core.long_work import Job, Made


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """The files to index again, and those to remove from the index."""

    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.changed) + len(self.gone)


def plan(files: Mapping[str, Stamp], indexed: Mapping[str, Stamp]) -> IndexPlan:
    """Return the plan that updates an index with the stamps *indexed* to *files*."""
    changed = tuple(sorted(path for path, stamp in files.items() if indexed.get(path) != stamp))
    return IndexPlan(changed, tuple(sorted(indexed.keys() - files.keys())))


class Alone:
    """The :class:`~autology.core.long_work.Pool` of one process."""

    @contextmanager
    def results(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]) -> Iterator[Iterator[Made]]:
        """Yield the result of *here* for each of *jobs*, in order, as they are consumed."""
        del kind
        yield map(here, jobs)


ALONE = Alone()

"""Numbers that two decision records of one series have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autology.core.analysis.finding import NAMED, NOTICE, Finding
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, Sentence, do
from autology.model.node import DecisionStatus, NodeStatus
from autology.text.records.file_names import parsed
from autology.text.tokens import fold

LISTED = 6
"""Numbers named in the line that sums up a finding."""
OFTEN = 2
"""Records that one number stands for where that is a mistake; for more, it is the series' way to number a subject."""
MOST = 0.4
"""Share of a series' numbers that may be used again for that to be a mistake: years and chapters are no numbers."""
_APPENDED = re.compile(
    r"(?:^|[-_. ])(?:amendments?|addend(?:um|a)|annex(?:es)?|appendi(?:x|ces)|errat(?:um|a)|supplements?)"
    r"(?=[-_. ]|\d|\Z)",
    re.IGNORECASE,
)
"""In a file's name: what was added to the decision of its number."""
_STANDING = (DecisionStatus.ACCEPTED.value, DecisionStatus.PROPOSED.value)


def shared_numbers(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each series of decision records in which different records have one number.

    Records that were given up do not count, and those whose titles are the same are a finding of their own.
    """
    records = survey.graph.records
    if records is None:
        return
    series: defaultdict[tuple[str, str], defaultdict[tuple[int, str], list[str]]]
    series = defaultdict(lambda: defaultdict(list))
    stems: dict[str, str] = {}
    for id, node in survey.nodes.items():
        record = records.get(node.record) if node.record and node.status is not NodeStatus.SUPERSEDED else None
        if record is None or record.kind != "decision" or record.status not in _STANDING:
            continue
        folder, _, name = record.id_path.rpartition("/")
        stems[id] = name.rpartition(".")[0] if record.id_path == record.path else name
        read = parsed(stems[id])
        is_own = str(read.number) == record.number and not _APPENDED.search(stems[id])
        if read.number and not read.date and is_own:
            series[folder, read.prefix][read.number, read.part].append(id)
    for (folder, _), numbers in sorted(series.items()):
        shared = [ids for _, ids in sorted(numbers.items()) if _are_different(survey, ids, stems)]
        if shared and len(shared) <= MOST * len(numbers) and max(map(len, shared)) <= OFTEN:
            yield _finding(survey, folder, shared)


def _are_different(survey: Survey, ids: Sequence[str], stems: Mapping[str, str]) -> bool:
    """Whether *ids* are several records, none of them the appendix of another, and of different titles."""
    names = sorted(stems[id].lower() for id in ids)
    if len(ids) < 2 or any(after.startswith(name) for name, after in pairwise(names)):
        return False
    return len({fold(survey.title(id)) for id in ids}) == len(ids)


def _finding(survey: Survey, folder: str, shared: Sequence[Sequence[str]]) -> Finding:
    """Return the finding that each of *shared* is several records of one number; the number is read off their names."""
    numbers = [str(_number(survey, ids[0])) for ids in shared]
    listed = ", ".join(numbers[:LISTED]) + (f" and {len(numbers) - LISTED} more" if len(numbers) > LISTED else "")
    what = f"Number {listed} stands" if len(numbers) == 1 else f"The numbers {listed} stand"
    named = [f"{number}: {'; '.join(map(survey.title, ids))}" for number, ids in zip(numbers, shared, strict=True)]
    more = [f"… and {len(named) - NAMED} more"] if len(named) > NAMED else []
    renumber = "Give one of each a free number, in its file's name, its title and what refers to it: "
    return Finding(
        "duplicates",
        NOTICE,
        f"{what} for several decisions in {folder or 'this project'}",
        "A reader who is sent to a number may read the wrong decision.",
        Sentence(renumber, do(Action.QUERY, related_to=shared[0][-1])),
        tuple(survey.subject(id) for ids in shared for id in ids),
        (*named[:NAMED], *more),
    )


def _number(survey: Survey, id: str) -> str:
    record = survey.graph.records.get(survey.nodes[id].record) if survey.graph.records else None
    return record.number if record else ""

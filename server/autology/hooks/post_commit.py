"""After a commit or a pull request: what was done, what the project knows of it, and how to keep why."""

from __future__ import annotations

from autology.hooks.happened import Changed, Made, happened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project

    Known = list[tuple[str, str, str, str, str]]

_SHOWN_COMMITS, _SHOWN_FILES, _SHOWN_NODES = 3, 12, 6
_ADVICE = (
    "If this settled a decision, a convention or a lesson that no node holds, suggest /autology:capture to the user;"
    " capture nothing unasked."
)


def answer(given: dict[str, object], project: Project) -> dict[str, object] | None:
    """Return what to say after a command that committed or moved a pull request; None if it did not.

    Each commit is spoken of once. Without an index it is only noted, for the session's end.
    """
    made, pulled = happened(given)
    if not made and not pulled:
        return None
    from autology import wire
    from autology.hooks import notes
    from autology.hooks.session import HOLDS, holds_knowledge
    from autology.hooks.speech import context, quoted

    if not _claimed(given, project):
        return None
    # Claimed one by one: another hook that runs at once may have been asked about the same commit.
    made = [each for each in made if notes.first(project, "commit", each.commit)]
    pulled = [each for each in pulled if notes.first(project, "pull", each)]
    if not made and not pulled:
        return None
    look = wire.glance(project.root)
    changes: list[Changed] = []
    known: Known = []
    if look is not None:
        from autology.hooks.happened import changed

        with look:
            changes = [changed(each, project) for each in made[-_SHOWN_COMMITS:]]
            known = look.speaking_of([name for change in changes for name in change.known_as])
    files = {each.commit: change.known_as for each, change in zip(made[-_SHOWN_COMMITS:], changes, strict=False)}
    for each in made:
        shown, own = [row[0] for row in known[:_SHOWN_NODES]], files.get(each.commit, [])
        facts = {"files": own[:_SHOWN_FILES], HOLDS: holds_knowledge(own)}
        notes.add(project, "commit", commit=each.commit, subject=quoted(each.subject, 200), nodes=shown, **facts)
    for done in pulled:
        notes.add(project, "pull", subject=quoted(done, 200))
    if look is None:
        return None
    from autology.hooks.project import withheld

    if "knowledge" in withheld(project.root):
        return None  # what is suggested cannot be done
    held = bool(made) and all(holds_knowledge(files.get(each.commit, ())) for each in made)
    return context("PostToolUse", _told(made, changes, pulled, known), _message(made, pulled, len(known), held))


def _claimed(given: dict[str, object], project: Project) -> bool:
    """Whether this hook is the one to answer for this use of the tool."""
    from autology.hooks import notes

    # Two filters can match one command (`git commit … && gh pr create …`), and then two hooks run.
    use = given.get("tool_use_id")
    return not isinstance(use, str) or not use or notes.first(project, "use", use)


def _message(made: list[Made], pulled: list[str], known: int, held: bool) -> str:
    """What the user sees: one line; *held* says that each commit holds a note itself."""
    from autology.hooks.speech import count, quoted

    if made:
        what = f'commit {made[-1].commit[:8]} "{quoted(made[-1].subject, 60)}"'
        if len(made) > 1:
            what = f"{count(len(made), 'commit')}, the last {what[7:]}"
    else:
        what = quoted(pulled[-1], 120)
    if known:
        what += f"; {count(known, 'node')} {'speaks' if known == 1 else 'speak'} of its files"
    return f"Autology: {what}." if held else f"Autology: {what}. /autology:capture keeps why."


def _told(made: list[Made], changes: list[Changed], pulled: list[str], known: Known) -> str:
    """What Claude sees: the facts, fenced, and what to do with them."""
    from autology.hooks.speech import count, node_line, quoted, some
    from autology.text.fence import fenced

    lines: list[str] = []
    for each, change in zip(made[-_SHOWN_COMMITS:], changes, strict=True):
        lines += _commit_lines(each, change)
    lines += [quoted(done, 150) for done in pulled]
    if known:
        lines.append("nodes that speak of these files:")
        nodes = [node_line(id, type, title, _about(status, path)) for id, type, title, status, path in known]
        lines += [f"  {line}" for line in some(nodes, _SHOWN_NODES)]
    what = f"{count(len(made), 'commit')} made." if made else "Pull request opened or merged."
    check = "Check whether what these nodes say still holds (autology_query shows them). " if known else ""
    return f"{what}\n{fenced('git and the knowledge of this project', lines)}\n{check}{_ADVICE}"


def _commit_lines(made: Made, change: Changed) -> list[str]:
    from autology.hooks.speech import count, quoted, some

    where = f" in {quoted(change.place, 80)}" if change.place else ""
    first = f"commit {made.commit[:8]}{where}: {quoted(made.subject, 150)}"
    if change.files is None:
        return [first, "  its files are not known: git did not answer"]
    shown = ", ".join(some([quoted(name, 100) for name in change.files], _SHOWN_FILES))
    return [first, f"  {count(len(change.files), 'file')}{f': {shown}' if shown else ''}"]


def _about(status: str, path: str) -> str:
    return f"{path}, needs review" if status == "needs_review" else path

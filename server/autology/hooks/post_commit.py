"""After a commit or pull request: what was done, what the project's nodes say about it, and how to capture why."""

from __future__ import annotations

from autology.hooks.commits import Changed, NewCommit, happened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.core.lookup_ports import NodeRow
    from autology.hooks.project import HookProject

_SHOWN_COMMITS, _SHOWN_FILES, _SHOWN_NODES = 3, 12, 6
_ADVICE = (
    "If this settled a decision, a convention or a lesson that no node holds, suggest /autology:capture to the user;"
    " capture nothing unasked."
)


def answer(event: dict[str, object], project: HookProject) -> tuple[str, str] | None:
    """Return the message after a command that committed or changed a pull request; None if it did neither.

    Each commit is mentioned once. Without an index it is only noted, for the session's end.
    """
    commits, pulled = happened(event)
    if not commits and not pulled:
        return None
    from autology import wire
    from autology.hooks import session_notes
    from autology.hooks.messages import quoted
    from autology.hooks.uncaptured import HOLDS, holds_knowledge

    if not _claimed(event, project):
        return None
    # Claimed one by one: a concurrent hook may handle the same commit.
    commits = [commit for commit in commits if session_notes.first(project, "commit", commit.commit)]
    pulled = [commit for commit in pulled if session_notes.first(project, "pull", commit)]
    if not commits and not pulled:
        return None
    index = wire.glance(project.root)
    changes: list[Changed] = []
    nodes: list[NodeRow] = []
    if index is not None:
        from autology.hooks.commits import changed

        with index:
            changes = [changed(commit, project) for commit in commits[-_SHOWN_COMMITS:]]
            nodes = index.speaking_of([name for change in changes for name in change.known_as])
    files = {commit.commit: change.known_as for commit, change in zip(commits[-_SHOWN_COMMITS:], changes, strict=False)}
    for commit in commits:
        shown, own = [row[0] for row in nodes[:_SHOWN_NODES]], files.get(commit.commit, [])
        facts = {"files": own[:_SHOWN_FILES], HOLDS: holds_knowledge(own)}
        session_notes.add(
            project, "commit", commit=commit.commit, subject=quoted(commit.subject, 200), nodes=shown, **facts
        )
    for action in pulled:
        session_notes.add(project, "pull", subject=quoted(action, 200))
    if index is None:
        return None
    from autology.hooks.project import withheld

    if "knowledge" in withheld(project.root):
        return None  # the suggestion needs the tools
    holds_all = bool(commits) and all(holds_knowledge(files.get(commit.commit, ())) for commit in commits)
    text = _context_text(commits, changes, pulled, nodes)
    return text, _message(commits, pulled, len(nodes), holds_all)


def _claimed(event: dict[str, object], project: HookProject) -> bool:
    """Whether this hook is the one to answer for this tool use."""
    from autology.hooks import session_notes

    # Two matchers can match one command (`git commit … && gh pr create …`), and then two hooks run.
    use = event.get("tool_use_id")
    return not isinstance(use, str) or not use or session_notes.first(project, "use", use)


def _message(commits: list[NewCommit], pulled: list[str], node_count: int, holds_all: bool) -> str:
    """Return the line for the user; *holds_all* says that every commit contains a note itself."""
    from autology.hooks.messages import count, quoted

    if commits:
        summary = f'commit {commits[-1].commit[:8]} "{quoted(commits[-1].subject, 60)}"'
        if len(commits) > 1:
            summary = f"{count(len(commits), 'commit')}, the last {summary[7:]}"
    else:
        summary = quoted(pulled[-1], 120)
    if node_count:
        summary += f"; {count(node_count, 'node')} {'mentions' if node_count == 1 else 'mention'} its files"
    return f"Autology: {summary}." if holds_all else f"Autology: {summary}. /autology:capture keeps why."


def _context_text(commits: list[NewCommit], changes: list[Changed], pulled: list[str], nodes: list[NodeRow]) -> str:
    """Return the text for Claude: the facts, fenced, and what to do with them."""
    from autology.hooks.messages import capped, count, node_line, quoted
    from autology.text.fence import fenced

    lines: list[str] = []
    for commit, change in zip(commits[-_SHOWN_COMMITS:], changes, strict=True):
        lines += _commit_lines(commit, change)
    lines += [quoted(action, 150) for action in pulled]
    if nodes:
        lines.append("nodes that mention these files:")
        node_lines = [node_line(id, type, title, _about(status, path)) for id, type, title, status, path in nodes]
        lines += [f"  {line}" for line in capped(node_lines, _SHOWN_NODES)]
    summary = f"{count(len(commits), 'commit')} made." if commits else "Pull request opened or merged."
    check = "Check whether these nodes are still correct (autology_query shows them).  " if nodes else ""
    return f"{summary}\n{fenced('git and the knowledge of this project', lines)}\n{check}{_ADVICE}"


def _commit_lines(commit: NewCommit, change: Changed) -> list[str]:
    from autology.hooks.messages import capped, count, quoted

    place = f" in {quoted(change.place, 80)}" if change.place else ""
    first = f"commit {commit.commit[:8]}{place}: {quoted(commit.subject, 150)}"
    if change.files is None:
        return [first, "  its files are unknown: git did not answer"]
    shown = ", ".join(capped([quoted(name, 100) for name in change.files], _SHOWN_FILES))
    return [first, f"  {count(len(change.files), 'file')}{f': {shown}' if shown else ''}"]


def _about(status: str, path: str) -> str:
    return f"{path}, needs review" if status == "needs_review" else path

"""After a commit or pull request: reports it with the project's nodes about it, and suggests capturing the reasons."""

from __future__ import annotations

from autology.hooks.commits import Changed, NewCommit, detected

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

    Each commit is mentioned once. Without an index it is only recorded, for the end of the session.
    """
    commits, pull_actions = detected(event)
    if not commits and not pull_actions:
        return None
    from autology import wire
    from autology.hooks import session_state
    from autology.hooks.messages import quoted
    from autology.hooks.uncaptured import HAS_KNOWLEDGE, contains_knowledge

    if not _claimed(event, project):
        return None
    # Claimed one by one: a concurrent hook may handle the same commit.
    commits = [commit for commit in commits if session_state.first(project, "commit", commit.commit)]
    pull_actions = [action for action in pull_actions if session_state.first(project, "pull", action)]
    if not commits and not pull_actions:
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
        node_ids, commit_files = [row[0] for row in nodes[:_SHOWN_NODES]], files.get(commit.commit, [])
        facts = {"files": commit_files[:_SHOWN_FILES], HAS_KNOWLEDGE: contains_knowledge(commit_files)}
        session_state.add(
            project, "commit", commit=commit.commit, subject=quoted(commit.subject, 200), nodes=node_ids, **facts
        )
    for action in pull_actions:
        session_state.add(project, "pull", subject=quoted(action, 200))
    if index is None:
        return None
    from autology.hooks.project import withheld

    if "knowledge" in withheld(project.root):
        return None  # the suggestion needs the tools
    all_contain_notes = bool(commits) and all(contains_knowledge(files.get(commit.commit, ())) for commit in commits)
    text = _context_text(commits, changes, pull_actions, nodes)
    return text, _message(commits, pull_actions, len(nodes), all_contain_notes)


def _claimed(event: dict[str, object], project: HookProject) -> bool:
    """Whether this hook is the first to handle this tool use."""
    from autology.hooks import session_state

    # Two matchers can match one command (`git commit … && gh pr create …`), and then two hooks run.
    use = event.get("tool_use_id")
    return not isinstance(use, str) or not use or session_state.first(project, "use", use)


def _message(commits: list[NewCommit], pull_actions: list[str], node_count: int, all_contain_notes: bool) -> str:
    """Return the line for the user; *all_contain_notes* says that every commit contains a note itself."""
    from autology.hooks.messages import count, quoted

    if commits:
        summary = f'commit {commits[-1].commit[:8]} "{quoted(commits[-1].subject, 60)}"'
        if len(commits) > 1:
            summary = f"{count(len(commits), 'commit')}, the last {summary[7:]}"
    else:
        summary = quoted(pull_actions[-1], 120)
    if node_count:
        summary += f"; {count(node_count, 'node')} {'mentions' if node_count == 1 else 'mention'} its files"
    return f"Autology: {summary}." if all_contain_notes else f"Autology: {summary}. /autology:capture keeps why."


def _context_text(
    commits: list[NewCommit], changes: list[Changed], pull_actions: list[str], nodes: list[NodeRow]
) -> str:
    """Return the text for Claude: the facts, fenced, and what to do with them."""
    from autology.hooks.messages import capped, count, node_line, quoted
    from autology.text.sanitising import fenced

    lines: list[str] = []
    for commit, change in zip(commits[-_SHOWN_COMMITS:], changes, strict=True):
        lines += _commit_lines(commit, change)
    lines += [quoted(action, 150) for action in pull_actions]
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

"""``autology init``: set up .autology and import existing decision records."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from autology.cli import client_python, importing, merge_offer
from autology.cli.importing import CombinedPlan, CombinedResult
from autology.cli.merge_offer import MergeOffer
from autology.cli.project import project_of
from autology.cli.query import show_place
from autology.cli.screen import Screen
from autology.core.nodes.first_question import FirstAnswer, first_answer
from autology.model.errors import ValidationError
from autology.text.adr.folders import find_record_folders
from autology.text.fence import clean_block
from autology.text.language.plural import counted
from autology.wire.project import Project

EXAMPLES = """\
autology init
autology init --dry-run
autology init --yes --project ../other"""
JSON = """\
{project, folders, documents: their number, sessions: number of past sessions here, plan: as in `autology import`,
 done: {added, edited, older_relations} or null if nothing was done, questions, answer: {question, id, title, passage}
 or null, merge_driver: whether git merges notes field by field}"""
DECISION_CHARACTERS = 400
"""Maximum characters quoted of a decision."""
ANSWER_CHARACTERS = 1_200
ANSWER_LINES = 10
"""Maximum characters and lines shown of the first answer."""


@dataclass(frozen=True, slots=True)
class Existing:
    """What the project has already: folders of decision records, documents, and past sessions."""

    folders: list[str]
    documents: int
    sessions: int
    merge: MergeOffer | None = None


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--yes", action="store_true", help="import without asking for confirmation")
    parser.add_argument("--no-merge-driver", action="store_true", help="do not register the git merge driver for notes")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and change nothing")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Set up the project; running it again only adds new records."""
    project = project_of(args)
    root, graph = project.root, project.graph
    _refuse_home(root)
    existed = graph.files.exists()
    folders = _record_folders(project)
    planned = importing.plan(project, [str(Path(root, folder)) for folder in folders], screen)
    documents = len(project.library.files.scan().files)
    conversations = project.conversations
    merge = None if args.no_merge_driver else merge_offer.find(project.merge_driver)
    existing = Existing(folders, documents, conversations.sessions_in(root), merge)
    if not screen.json:
        _show_existing(root, existing, planned, existed, screen)
    if args.dry_run:
        if screen.json:
            _print_json(root, existing, planned, None, None, screen)
        else:
            screen.line("Dry run: nothing was written.")
        return 0
    agreed = _agreed(bool(planned or existing.sessions), args.yes, screen)
    if agreed is None:
        if screen.json:
            _print_json(root, existing, planned, None, None, screen)
        screen.say("nothing was written. Confirm the plan with: autology init --yes")
        return 1
    graph.files.create()
    result = importing.execute(graph, planned, screen) if agreed else None
    last_decision = None
    if agreed and existing.sessions:
        with screen.progress("reading sessions") as progress:
            last_decision = conversations.read_folder(root, progress)
    merging = merge_offer.register(existing.merge, args.yes, screen)
    answer = first_answer(graph)
    if screen.json:
        _print_json(root, existing, planned, result, answer, screen, merging)
    else:
        _show_end(planned, result, answer, existed, screen)
        merge_offer.show_done(merging, existing.merge, screen)
        _show_sessions(existing.sessions if agreed else 0, last_decision, screen)
        _show_next(screen)
    return 1 if planned.left_out else 0


def _refuse_home(root: str) -> None:
    if Path(root).resolve() == Path.home().resolve():
        step = "Go to a project's folder first, or name one with --project."
        raise ValidationError("project", "is your home folder, not a project", step)


def _record_folders(project: Project) -> list[str]:
    files = project.history.files()
    folders = find_record_folders(project.originals.files() if files is None else files)
    return [folder for folder in folders if Path(project.root, folder).is_dir()]


def _agreed(has_imports: bool, yes: bool, screen: Screen) -> bool | None:
    """Whether to import: False to set up only, None if the user cannot be asked."""
    if yes or not has_imports:
        return True
    if not screen.can_ask():
        return None
    return screen.confirm("Import this?", default=True)


def _show_existing(root: str, existing: Existing, planned: CombinedPlan, existed: bool, screen: Screen) -> None:
    screen.line(f"{screen.styled('Project', 'bold')}  {screen.safe(root)}")
    screen.line(
        "  .autology exists" if existed else "  .autology will be created: notes, and an index that git ignores"
    )
    if existing.folders:
        screen.line(f"  decision records in {', '.join(screen.safe(folder) for folder in existing.folders)}")
    if existing.sessions:
        screen.line(f"  {counted(existing.sessions, 'past session')} of Claude Code, to be indexed and archived")
    if existing.documents:
        documents = "1 document" if existing.documents == 1 else f"{existing.documents:,} documents"
        screen.line(f"  {documents} in markdown: `autology search` finds them in place, nothing to import")
    importing.show(planned, screen)
    merge_offer.show(existing.merge, screen)
    screen.line()


def _show_end(
    planned: CombinedPlan, result: CombinedResult | None, answer: FirstAnswer | None, existed: bool, screen: Screen
) -> None:
    if result is None:
        screen.line("✓ .autology is set up; nothing was imported, as you chose. To import later: autology init --yes")
    elif planned or existed:
        importing.show_done(planned, result, screen)
    else:
        screen.line("✓ .autology is set up.", "green")
    if answer is None and result is None:
        screen.line("Or save a first note:")
        screen.line('  autology capture --title "Use SQLite for the index" --type decision -e')
    elif answer is None:
        screen.line("No decision records found; none are needed to begin. Save a first note:")
        screen.line('  autology capture --title "Use SQLite for the index" --type decision -e')
        screen.line("To import records from a folder of another name: autology import adr DIR")
    else:
        _show_answer(answer, screen)


def _show_sessions(sessions: int, last_decision: str | None, screen: Screen) -> None:
    if not sessions:
        return
    screen.line()
    read = "was indexed and" if sessions == 1 else "were indexed and"
    screen.line(f"✓ {counted(sessions, 'past session')} {read} can be searched.", "green")
    if last_decision:
        screen.line("  The last decision there, perhaps worth a note:")
        screen.line(f"  “{screen.safe(last_decision, DECISION_CHARACTERS)}”")


def _show_next(screen: Screen) -> None:
    screen.line()
    screen.line("Next", "bold")
    screen.line("  git add .autology                        share it: the notes are ordinary files")
    screen.line("  claude                                   open this folder in Claude Code, with the plugin:")
    screen.line("    /plugin marketplace add autology/autology")
    screen.line("    /plugin install autology@autology      then ask, or start with /autology:tutorial")
    if sys.platform == "win32":
        for finding in client_python.examine().findings:
            screen.line()
            screen.line(f"! {screen.safe(finding.problem, 1_000)}.")
            screen.line(f"  {finding.fix}")


def _show_answer(answer: FirstAnswer, screen: Screen) -> None:
    screen.line()
    screen.line("Try a query", "bold")
    for question in answer.questions:
        screen.line(f'  autology query "{screen.safe(question).replace(chr(34), chr(39))}"')
    screen.line()
    screen.line(f"The first one: {screen.safe(answer.questions[0])}", "bold")
    show_place(answer.hit, screen)
    lines = clean_block(answer.passage, ANSWER_CHARACTERS).split("\n")
    for line in lines[:ANSWER_LINES]:
        screen.line(f"   {line}")
    if len(lines) > ANSWER_LINES:
        screen.line(f"   … `autology show {answer.hit.node.id[:8]}` prints the rest")


def _print_json(
    root: str,
    existing: Existing,
    planned: CombinedPlan,
    result: CombinedResult | None,
    answer: FirstAnswer | None,
    screen: Screen,
    merging: bool = False,
) -> None:
    first = None
    if answer:
        node = answer.hit.node
        first = {
            "question": answer.questions[0],
            "id": node.id,
            "title": node.title,
            "passage": answer.passage[:ANSWER_CHARACTERS],
        }
    screen.data(
        {
            "project": root,
            "folders": existing.folders,
            "documents": existing.documents,
            "sessions": existing.sessions,
            "plan": importing.as_json(planned),
            "done": importing.done_as_json(result),
            "questions": list(answer.questions) if answer else [],
            "answer": first,
            "merge_driver": merging,
        }
    )

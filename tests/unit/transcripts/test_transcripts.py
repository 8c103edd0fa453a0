"""Of a transcript every turn is found once, and nothing that nobody said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from autology.core.conversations.conversations import Conversations
from autology.core.recall.current_session import current_turn, latest
from autology.model.conversation import Chunk
from autology.model.entry import CODE, CONVERSATION, DECISION
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from autology.transcripts import claude_code
from autology.wire.project import Project
from tests.fakes.transcripts import Session, client_folder, resumed

RECORDED = Path(__file__).parents[2] / "fixtures" / "transcripts"
"""Sessions of the real client 2.1.330 with a scripted model; the client's own prompts and lists are shortened."""


@pytest.fixture
def conversations(home: Path) -> Conversations:
    return Project(str(home)).conversations


def everything(conversations: Conversations) -> list[Chunk]:
    """Return all chunks, as they stand in their transcripts."""
    result = conversations.index.chunks(conversations.index.ids_starting("", 100_000)).values()
    return sorted(result, key=lambda chunk: (chunk.transcript, chunk.position))


def text(conversations: Conversations) -> str:
    return "\n\n".join(chunk.text for chunk in everything(conversations))


def hits(conversations: Conversations, words: str, **where: object) -> list[str]:
    """Return the ids of chunks with all of *words*."""
    wanted = Filter(**{"kind": None, **where})  # type: ignore[arg-type]
    return [
        hit.source.id for hit in conversations.index.lexical_candidates(Terms(query_terms(words)), wanted, True, 50)
    ]


# ---- what real transcripts hold ------------------------------------------------------------------


@pytest.fixture
def samples(home: Path, conversations: Conversations) -> Conversations:
    for folder in RECORDED.iterdir():
        shutil.copytree(folder, client_folder(home) / "projects" / f"-home-dev-{folder.name}")
    assert conversations.refresh() == 4
    return conversations


@pytest.mark.parametrize(
    "turn",
    [
        "please run the script",
        "Looking up.",
        "MOCK-DEFAULT",
        "FINAL-ANSWER",
        "ORACLE-TASK what is beta",
        "ORACLE-REPLY",
    ],
)
def test_every_turn_of_a_real_session_is_found_once(samples: Conversations, turn: str) -> None:
    assert text(samples).count(turn) == 1


@pytest.mark.parametrize(
    "injected",
    ["CTX-", "system-reminder", "SUMMARY-TEXT", "local-command", "PRECOMPACT", "task-notification", "TOY-INSTRUCTIONS"],
)
def test_nothing_that_was_injected_into_a_real_session_is_found(samples: Conversations, injected: str) -> None:
    assert len(everything(samples)) == 8
    assert injected not in text(samples)


def test_both_parts_of_a_session_that_was_compacted_and_resumed_are_found(samples: Conversations) -> None:
    (chunk,) = [c for c in everything(samples) if "compact-resume" in c.transcript and c.trust != "tool"]
    assert chunk.text == "❯ turn one\n\n● ANSWER-ONE\n\n❯ turn two\n\n● ANSWER-TWO"
    assert (chunk.folder, chunk.branch, chunk.participants) == ("/home/dev/t12", "master", ("user", "assistant"))


def test_tool_output_is_indexed_separately_with_the_lowest_trust(samples: Conversations) -> None:
    (chunk,) = [c for c in everything(samples) if "ls /nonexistent" in c.text]
    assert "ls: cannot access '/nonexistent': No such file or directory" in chunk.text
    assert (chunk.trust, chunk.participants) == ("tool", ("tool",))


# ---- reading again, and again --------------------------------------------------------------------


def test_reading_twice_adds_nothing_and_changes_no_id(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    for number in range(30):
        session.user(f"question {number} about storage").__len__()
        session.assistant(f"Answer {number}. " + "It depends on much. " * 30)
    assert conversations.refresh() == 1
    before = everything(conversations)
    assert conversations.refresh() == 0
    conversations.index.forget([session.name])
    assert everything(conversations) == []
    assert conversations.refresh() == 1
    assert everything(conversations) == before


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_a_session_read_while_it_grows_gives_what_one_reading_gives(
    home: Path, conversations: Conversations, step: int, tmp_path: Path
) -> None:
    session = Session(home)
    for number in range(25):
        session.user(f"Question {number}?")
        session.assistant(f"Answer {number}. " + "Much more. " * (number * 7 % 60))
        session.tool(
            "Edit",
            "ok",
            file_path=f"/home/dev/app/f{number // 6}.py",
            old_string=f"x = {number - 1}\ny = 2\nz = 3",
            new_string=f"x = {number}\ny = 2\nz = 3",
        )
        if number % 9 == 4:
            session.later(minutes=9)
    lines = session.file.read_bytes().splitlines(keepends=True)
    session.file.write_bytes(b"")
    for at in range(0, len(lines), step):
        with session.file.open("ab") as file:
            file.write(b"".join(lines[at : at + step]))
        conversations.refresh()
    grown = everything(conversations)
    conversations.index.forget([session.name])
    conversations.refresh()
    assert grown == everything(conversations)


def long_exchange(home: Path) -> Session:
    """Return a session of one question that is worked on for long, and of another behind it."""
    session = Session(home)
    session.user("please port the parser")
    for number in range(600):
        session.assistant(f"Step {number} of it.")
        session.tool("Bash", f"made {number}", command=f"make step{number}")
    session.later(minutes=9)
    session.user("thanks, and now the printer")
    session.assistant("That is next.")
    return session


def test_a_long_exchange_is_read_in_parts_that_know_its_question(home: Path, conversations: Conversations) -> None:
    session = long_exchange(home)
    conversations.refresh()
    whole = everything(conversations)
    assert "Step 599 of it." in text(conversations)
    assert {chunk.question for chunk in whole} == {"please port the parser", "thanks, and now the printer"}
    assert len({chunk.exchange for chunk in whole}) == 2
    conversations.index.forget([session.name])
    looks = 0
    while not looks or conversations.behind():
        conversations.refresh(until=0.0)
        looks += 1
    assert looks > 3
    assert everything(conversations) == whole


def test_time_that_is_up_leaves_a_transcript_further_each_time_and_complete_in_the_end(
    home: Path, conversations: Conversations
) -> None:
    session = Session(home)
    for number in range(40):
        session.user(f"Question {number}?")
        session.assistant(f"Answer {number}. " + "Much more of it. " * 150)
    ends = []
    while not ends or conversations.behind():
        conversations.refresh(until=0.0)
        mark = conversations.index.mark(session.name)
        ends.append(mark.offset if mark else 0)
        assert len(ends) < 100
    assert ends[:-1] == sorted(set(ends[:-1]))  # the last look reads the last two runs once more
    read = everything(conversations)
    conversations.index.forget([session.name])
    conversations.refresh()
    assert everything(conversations) == read


def test_the_present_turn_is_found_at_the_end_of_a_transcript_that_was_never_read(
    home: Path, conversations: Conversations
) -> None:
    session = Session(home)
    session.user("first")
    for _ in range(9):
        session.assistant("x" * 1_000_000)
    last = session.user("and the last")
    assert current_turn(conversations, session.id) == last
    assert latest(conversations, session.id).text == "and the last"


def test_a_line_that_is_half_written_is_read_when_it_is_whole(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("first question")
    whole = session.file.read_text(encoding="utf-8")
    session.assistant("the answer to it")
    line = session.file.read_text(encoding="utf-8").removeprefix(whole)
    session.file.write_text(whole + line[:50], encoding="utf-8", newline="")
    conversations.refresh()
    assert "the answer" not in text(conversations)
    session.file.write_text(whole + line, encoding="utf-8", newline="")
    conversations.refresh()
    assert text(conversations) == "❯ first question\n\n● the answer to it"
    assert conversations.coverage().broken == 0


def test_a_broken_line_is_passed_over_and_counted_once(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("before it")
    session.raw('{"type": "user", "message": {"role"\n')
    session.raw("\x00\x00 not even that\n")
    session.raw("[1, 2]\n")
    session.raw("\n")
    session.assistant("after it")
    conversations.refresh()
    session.assistant("and later")
    conversations.refresh()
    assert text(conversations) == "❯ before it\n\n● after it\n\n● and later"
    assert conversations.coverage().broken == 3


def test_a_copy_of_another_session_s_turns_is_not_found_twice(home: Path, conversations: Conversations) -> None:
    first = Session(home)
    first.user("why is the build slow")
    first.assistant("because of the linker")
    second = resumed(home, first)
    second.user("and now")
    second.assistant("use another linker")
    os.utime(first.file, (1_700_000_000, 1_700_000_000))
    conversations.refresh()
    assert text(conversations).count("why is the build slow") == 1
    assert text(conversations).count("use another linker") == 1


def test_turns_shared_with_a_deleted_original_are_found_in_the_copy(home: Path, conversations: Conversations) -> None:
    first = Session(home)
    first.user("why is the build slow")
    second = resumed(home, first)
    second.user("and now")
    os.utime(first.file, (1_700_000_000, 1_700_000_000))
    conversations.refresh()
    third = resumed(home, second)
    third.user("and then")
    conversations.refresh()
    first.file.unlink()
    conversations.index.forget([first.name])
    assert conversations.refresh() == 2
    assert text(conversations).count("why is the build slow") == 1
    assert text(conversations).count("and then") == 1
    assert conversations.refresh() == 0


def test_two_that_read_at_once_take_nothing_in_twice_and_lose_nothing(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    for number in range(60):
        session.user(f"Question {number}?")
        session.assistant(f"Answer {number}. " + "More words than before. " * 80)
    other = Project(str(home)).conversations
    reading = other.live.read(session.name)
    assert reading.restarts
    conversations.refresh()
    alone = everything(conversations)
    from autology.core.conversations.conversation_index import Advance

    late = Advance(session.name, 0, (), (), None, reading.mark(0))
    assert other.index.advance(late) is False
    assert everything(conversations) == alone


def test_a_batch_of_transcripts_skips_only_those_another_process_read(home: Path, conversations: Conversations) -> None:
    from autology.core.conversations.conversation_index import Advance

    first, second = Session(home), resumed(home, Session(home))
    first.user("why is the build slow")
    second.user("and what makes it faster")
    marks = {session.name: conversations.live.read(session.name).mark(0) for session in (first, second)}
    assert conversations.index.advance(Advance(first.name, 0, (), (), None, marks[first.name]))
    steps = [Advance(name, 0, (), (), None, mark) for name, mark in marks.items()]
    assert conversations.index.advance(*steps) is False
    assert conversations.index.marks() == marks


# ---- what is not said ----------------------------------------------------------------------------


def test_text_injected_by_the_client_and_hooks_is_not_indexed(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.context("INJECTED-BY-HOOK")
    session.bookkeeping()
    session.user("<system-reminder>INJECTED-REMINDER</system-reminder>what is it")
    session.meta("Base directory for this skill: INJECTED-SKILL")
    session.assistant('it is this <autology-recalled source="x">\n| INJECTED-FENCE\n</autology-recalled>')
    session.user("<task-notification>INJECTED-TASK</task-notification>", promptSource="system")
    session.user("INJECTED-ORIGIN", origin={"kind": "task-notification"})
    session.user("<local-command-stdout>INJECTED-OUTPUT</local-command-stdout>")
    session.user("<bash-stdout>INJECTED-SHELL</bash-stdout><bash-stderr></bash-stderr>")
    session.user("[Request interrupted by user]")
    session.queued("INJECTED-QUEUED", mode="task-notification")
    session.assistant("API Error", isApiErrorMessage=True)
    session.compacted("INJECTED-SUMMARY")
    session.user('<autology-recalled source="x">\n| INJECTED and nobody closed it')
    conversations.refresh()
    assert text(conversations) == "❯ what is it\n\n● it is this"


def test_output_of_our_own_tools_is_not_indexed_as_conversation(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("what did we decide")
    session.tool("mcp__plugin_autology_autology__autology_query", '[{"title": "RECALLED"}]', query="decisions")
    session.tool("mcp__autology__recall_previous_discussions", "RECALLED", query="x")
    session.tool("Bash", "RECALLED", command="cd x && autology query why")
    session.tool("Bash", "RECALLED", command="python3 dist/autology.pyz search why")
    session.tool("Bash", "kept", command="cat autology/notes.txt")
    session.assistant("we decided that")
    conversations.refresh()
    assert "RECALLED" not in text(conversations)
    assert "$ Bash: cat autology/notes.txt\nkept" in text(conversations)


def test_queued_messages_and_command_arguments_are_indexed(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("<command-name>/autology:capture</command-name><command-args>the sky is blue</command-args>")
    session.queued("and the grass is green")
    session.user([{"type": "text", "text": "look at this"}, {"type": "image", "source": {"data": "AAAA"}}])
    conversations.refresh()
    assert text(conversations) == "❯ /autology:capture the sky is blue\n\n❯ and the grass is green\n\n❯ look at this"


def test_a_tool_without_output_is_kept_as_its_call(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("try it")
    session.tool("Bash", "(Bash completed with no output)", command="make")
    conversations.refresh()
    assert text(conversations) == "❯ try it\n\n$ Bash: make"


def test_tool_output_is_truncated_and_errors_less_so(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("try it")
    session.tool("Bash", "x" * 10_000 + "THE-END", command="make")
    session.tool("Bash", "ValueError: y" + "y" * 500, failed=True, command="make test")
    session.tool("Read", "FILE-CONTENT", file_path="/home/dev/app/a.py")
    conversations.refresh()
    assert len(text(conversations)) < 1_200
    assert "THE-END" in text(conversations)
    assert text(conversations).count("y") > 500
    assert "FILE-CONTENT" not in text(conversations)


def test_an_agent_s_task_is_trusted_as_who_gave_it(home: Path, conversations: Conversations) -> None:
    main = Session(home)
    main.user("find it")
    agent = Session(home, session=main.id, agent="a1b2")
    agent.user("look for the config")
    agent.assistant("it is in etc")
    conversations.refresh()
    (chunk,) = [chunk for chunk in everything(conversations) if chunk.agent]
    assert (chunk.trust, chunk.session, chunk.participants) == ("assistant", main.id, ("agent a1b2",))
    assert conversations.coverage().sessions == 1
    assert conversations.coverage().agents == 1


def test_an_agent_s_turns_among_the_session_s_are_an_agent_s(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("find it")
    session.user("TASK for an agent", isSidechain=True)
    conversations.refresh()
    assert {chunk.trust for chunk in everything(conversations)} == {"assistant"}


# ---- kinds and filters ---------------------------------------------------------------------------


def test_code_and_decisions_are_found_as_what_they_are(home: Path, conversations: Conversations) -> None:
    session = Session(home, folder="/home/dev/app")
    session.user("where do we keep the index")
    session.assistant(
        "We chose SQLite because it needs no server.\n```python\nimport sqlite3\ndb = open()\nprint(db)\n```\nDone."
    )
    session.tool("Write", "ok", file_path="/home/dev/app/src/store.rs", content="fn main() {\n  open_store();\n}")
    conversations.refresh()
    kinds = {chunk.kind: chunk for chunk in everything(conversations) if chunk.kind != CODE}
    assert kinds[DECISION].text == "We chose SQLite because it needs no server."
    assert "[code: python, 3 lines]" in kinds[CONVERSATION].text
    code = {chunk.language: chunk for chunk in everything(conversations) if chunk.kind == CODE}
    assert code["python"].text == "import sqlite3\ndb = open()\nprint(db)"
    assert (code["rust"].path, code["rust"].files) == ("src/store.rs", ("src/store.rs",))
    assert code["rust"].question == "where do we keep the index"
    assert hits(conversations, "open store", kind=CODE, language="rust") == [code["rust"].id]
    assert hits(conversations, "index", kind=DECISION) == [kinds[DECISION].id]


def test_filters_are_met_before_the_cut(home: Path, conversations: Conversations) -> None:
    for number in range(40):
        session = Session(home, folder=f"/home/dev/p{number % 4}").later(days=number)
        session.user("how does the cache work")
    conversations.refresh()
    assert len(hits(conversations, "cache work")) == 40
    assert len(hits(conversations, "cache work", projects=("/home/dev/p1",))) == 10
    assert len(hits(conversations, "cache work", projects=("/home/dev/p1", "/home/dev/p2"))) == 20
    assert hits(conversations, "cache work", projects=("/nowhere",)) == []
    assert len(hits(conversations, "cache work", since="2026-03-11T00:00:00Z", until="2026-03-21T00:00:00Z")) == 10
    one = everything(conversations)[0]
    assert hits(conversations, "cache work", session=one.session) == [one.id]
    assert {result.identity: result.chunks for result in conversations.index.projects()} == {
        f"/home/dev/p{n}": 10 for n in range(4)
    }


def test_a_chunk_is_shown_with_its_neighbours_and_found_by_its_turns(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    ids = []
    for number in range(5):
        ids.append(session.user(f"question {number}"))
        session.assistant(f"answer {number}")
        session.later(minutes=10)
    conversations.refresh()
    chunks = everything(conversations)
    around = conversations.index.around(chunks[2].id, 1, 2)
    assert [chunk.text[:12] for chunk in around] == [f"❯ question {number}" for number in (1, 2, 3, 4)]
    assert conversations.index.around("nothing", 1, 1) == []
    assert conversations.index.of_turn(ids[3]) == [chunks[3]]
    assert conversations.index.of_exchange(ids[3]) == [chunks[3]]
    assert conversations.index.of_turn("nothing") == []


def test_words_are_found_at_once_and_meaning_later(home: Path, conversations: Conversations) -> None:
    Session(home).user("the database is slow on large tables")
    conversations.refresh()
    assert hits(conversations, "database slow")
    assert conversations.index.unencoded() == 1
    assert conversations.index.semantic_candidates("performance of SQL queries", Filter(kind=None), 5) == []
    assert conversations.encode() == 0
    assert len(conversations.index.semantic_candidates("performance of SQL queries", Filter(kind=None), 5)) == 1


def test_a_transcript_that_goes_while_its_folder_is_read_hides_no_other(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_text("{}\n", encoding="utf-8")
    listing = claude_code.files(str(tmp_path), ".jsonl")
    first, _ = next(listing)
    gone = "2.jsonl" if first != "2.jsonl" else "3.jsonl"
    (tmp_path / gone).unlink()
    assert sorted([first, *(name for name, _ in listing)]) == sorted({f"{n}.jsonl" for n in range(6)} - {gone})


def test_what_a_small_edit_replaced_is_kept_with_the_talk_unless_it_holds_a_secret(
    home: Path, conversations: Conversations
) -> None:
    session = Session(home)
    session.user("longer please")
    path = "/home/dev/app/limits.py"
    session.tool("Edit", "ok", file_path=path, old_string="WAIT = 45", new_string="WAIT = 90")
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    session.tool("Edit", "ok", file_path=path, old_string=f'TOKEN = "{secret}"', new_string="TOKEN = None")
    session.assistant("Done.")
    conversations.refresh()
    assert "± limits.py: WAIT = 45 → WAIT = 90" in text(conversations)
    assert "→ TOKEN = None" not in text(conversations)
    assert secret not in text(conversations)

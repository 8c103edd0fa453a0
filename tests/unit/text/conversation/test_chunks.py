"""Talk is cut where something else begins, and no word of it is lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.model.conversation import ASSISTANT, TOOL, USER, Call, Chunk, ChunkKind, Turn
from autology.text.conversation.chunks import LIMIT, Origin, begins_topic, chunks, exchanges, runs, without_edits
from autology.text.language.decision_sentences import decisions
from autology.text.markdown.code_blocks import taken_apart

ORIGIN = Origin("t.jsonl", lambda folder: folder, lambda folder, path: path)


def turn(role: str, text: str, number: int, minute: int = 0, calls: tuple[Call, ...] = (), folder: str = "/p") -> Turn:
    at = f"2026-03-01T{10 + minute // 60:02}:{minute % 60:02}:00Z"
    return Turn(f"turn-{number}", role, text, at, number * 100, "s", folder, calls=calls)


def cut(turns: Sequence[Turn]) -> list[Chunk]:
    return [chunk for run in runs(exchanges(turns)) for chunk in chunks(run, ORIGIN)]


def talk(*texts: str, minutes: Sequence[int] = (), folders: Sequence[str] = ()) -> list[Turn]:
    """Return turns of user and assistant in turn."""
    return [
        turn(
            USER if at % 2 == 0 else ASSISTANT,
            text,
            at,
            minutes[at] if minutes else 0,
            folder=folders[at] if folders else "/p",
        )
        for at, text in enumerate(texts)
    ]


WORDS = st.text(alphabet=st.sampled_from("abcdefgh \n.!?`~*#é漢❯●$"), max_size=5_000)
CALLS = st.builds(
    Call,
    tool=st.sampled_from(["Bash", "Edit"]),
    about=WORDS.map(lambda text: text[:300]),
    files=st.lists(st.sampled_from(["a.py", "b.py"]), max_size=2).map(tuple),
    code=WORDS,
    language=st.sampled_from(["python", None]),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Turn]:
    many = draw(st.integers(0, 14))
    minute = 0
    received = []
    for number in range(many):
        minute += draw(st.sampled_from([0, 0, 0, 1, 4, 6, 30]))
        role = draw(st.sampled_from([USER, ASSISTANT, ASSISTANT, TOOL]))
        calls = tuple(draw(st.lists(CALLS, max_size=2))) if role == ASSISTANT else ()
        folder = draw(st.sampled_from(["/p", "/p", "/q"]))
        received.append(turn(role, draw(WORDS).strip(), number, min(minute, 700), calls, folder))
    return received


@given(conversations())
def test_nothing_is_lost_and_nothing_is_too_long(turns: list[Turn]) -> None:
    made = cut(turns)
    assert all(0 < len(chunk.text) <= LIMIT for chunk in made)
    assert len({chunk.id for chunk in made}) == len(made)
    assert len({chunk.position for chunk in made}) == len(made)
    for message in turns:
        for part, kind in _parts(message):
            kept = "".join(chunk.text for chunk in made if chunk.kind == kind)
            assert _bare(part) in _bare(kept)


def _parts(said: Turn) -> list[tuple[str, ChunkKind]]:
    rest, blocks = (said.text, ()) if said.role == TOOL else taken_apart(said.text)
    parts = [(rest, ChunkKind.CONVERSATION)]
    parts += [(block.code, ChunkKind.CODE) for block in blocks]
    parts += [(call.code, ChunkKind.CODE) for call in said.calls]
    return parts + [(call.about, ChunkKind.CONVERSATION) for call in said.calls]


def _bare(text: str) -> str:
    return "".join(text.split())


@given(conversations(), st.integers(0, 14))
def test_chunks_before_the_last_exchanges_do_not_change_as_a_session_grows(turns: list[Turn], at: int) -> None:
    before, after = cut(turns[:at]), cut(turns)
    settled = [run.start for run in runs(exchanges(turns[:at]))][-2:-1] or [0]
    ids = {chunk.id: chunk.text for chunk in after}
    for chunk in before:
        if chunk.position < settled[0] * (1 << 16):
            assert ids[chunk.id] == chunk.text


def test_short_exchanges_about_one_thing_stay_together() -> None:
    made = cut(talk("how do we cache", "in a folder", "and for how long", "a day"))
    assert [chunk.text for chunk in made] == ["❯ how do we cache\n\n● in a folder\n\n❯ and for how long\n\n● a day"]
    assert (made[0].question, made[0].exchange, made[0].trust) == ("how do we cache", "turn-0", ASSISTANT)


@pytest.mark.parametrize(
    ("minutes", "many"), [((0, 0, 4, 4), 1), ((0, 0, 5, 5), 1), ((0, 0, 6, 6), 2), ((0, 7, 14, 21), 4)]
)
def test_a_silence_of_more_than_five_minutes_cuts(minutes: Sequence[int], many: int) -> None:
    assert len(cut(talk("one", "two", "three", "four", minutes=minutes))) == many


@pytest.mark.parametrize(
    "marker",
    [
        "Now let's look at the login",
        "Next: the parser",
        "ok, moving on to tests",
        "By the way, what is x",
        "New topic.",
    ],
)
def test_a_topic_marker_cuts(marker: str) -> None:
    assert begins_topic(marker)
    assert len(cut(talk("one", "two", marker, "four"))) == 2


@pytest.mark.parametrize("plain", ["now it fails", "the next line is wrong", "by the author", "move it there"])
def test_words_that_only_look_like_a_marker_do_not(plain: str) -> None:
    assert not begins_topic(plain)


def test_another_project_and_other_files_cut() -> None:
    assert len(cut(talk("one", "two", "three", "four", folders=["/p", "/p", "/q", "/q"]))) == 2
    calls = [(Call("Read", files=(name,)),) for name in ("a.py", "b.py")]
    turns = [turn(USER, "one", 0), turn(ASSISTANT, "x", 1, calls=calls[0]), turn(USER, "two", 2)]
    assert len(cut([*turns, turn(ASSISTANT, "y", 3, calls=calls[1])])) == 2
    assert len(cut([*turns, turn(ASSISTANT, "y", 3, calls=calls[0])])) == 1


def test_an_id_does_not_depend_on_what_follows() -> None:
    one, more = cut(talk("one", "two")), cut(talk("one", "two", "three", "four " * 900))
    assert one[0].id == more[0].id


def test_a_long_answer_is_cut_behind_paragraphs() -> None:
    made = cut(talk("why", "\n\n".join(f"Paragraph {number} " + "says much. " * 40 for number in range(9))))
    assert len(made) > 2
    assert all(chunk.text.startswith(("❯", "Paragraph")) for chunk in made)
    assert {chunk.question for chunk in made} == {"why"}


# ---- code and decisions --------------------------------------------------------------------------


def test_long_blocks_of_code_are_taken_out_and_short_ones_stay_and_are_code_too() -> None:
    message = "See:\n```py src/a.py\nx = 1\ny = 2\nz = 3\n```\nand `x` or\n```\nls\n```\nend"
    rest, blocks = taken_apart(message)
    assert rest == "See:\n[code: src/a.py, 3 lines]\nand `x` or\n```\nls\n```\nend"
    assert blocks == (("x = 1\ny = 2\nz = 3", "python", "src/a.py"), ("ls", None, None))


def test_an_unclosed_code_block_extends_to_the_end() -> None:
    rest, blocks = taken_apart("See:\n~~~rust\nfn a() {\n}\nfn b() {}\n")
    assert rest == "See:\n[code: rust, 3 lines]"
    assert blocks[0].code == "fn a() {\n}\nfn b() {}"


@pytest.mark.parametrize(
    "sentence",
    [
        "We chose SQLite for the index.",
        "Let's go with option B because it is simpler.",
        "I decided to drop Python 3.10.",
        "OK, from now on we use tabs in Makefiles.",
        "After a day we settled on Postgres 16.2 for the team.",
        "We'll use FTS5, it is everywhere.",
        "Decision: keep one index per user",
    ],
)
def test_a_sentence_that_decides_is_found(sentence: str) -> None:
    assert decisions(f"I looked at it for long. {sentence} Then I left.")[0].startswith(sentence.rstrip("."))


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we go with option B?",
        "If we decided to drop it, what then?",
        "I'm going to read the file.",
        "The decision tree has four leaves.",
        "Use the instead keyword.",
        "How did we choose that.",
    ],
)
def test_a_sentence_that_asks_or_only_sounds_so_is_not(sentence: str) -> None:
    assert decisions(sentence) == ()


def test_the_reason_that_follows_belongs_to_the_decision() -> None:
    message = "We chose SQLite. Because it needs no server. It is old."
    assert decisions(message) == ("We chose SQLite. Because it needs no server.",)


def test_what_a_small_edit_replaced_stands_among_the_talk_around_it() -> None:
    edit = Call("Edit", files=("/p/silent.go",), code="90", replaced=("silent.go: 45 → 90",))
    turns = [*talk("90 then"), turn(ASSISTANT, "", 1, calls=(edit,)), turn(ASSISTANT, "Done.", 2)]
    (text,) = [chunk.text for chunk in cut(turns) if chunk.kind == ChunkKind.CONVERSATION]
    assert text == "❯ 90 then\n\n± silent.go: 45 → 90\n\n● Done."
    assert without_edits(text) == "❯ 90 then\n\n● Done."


def test_what_a_person_writes_after_the_sign_of_an_edit_is_searched_like_any_talk() -> None:
    said = "We measured it.\n\n± 2 % is the tolerance of the zeppelin.\n\n± of it: see the log"
    assert without_edits(said) == said


def test_edits_make_no_chunk_longer_and_none_by_themselves() -> None:
    edits = tuple(f"limit.py: {'a' * 80} → {at}" for at in range(40))
    calls = (Call("MultiEdit", replaced=edits),)
    turns = [*talk("change them", "x " * 990), turn(ASSISTANT, "", 2, calls=calls), turn(ASSISTANT, "y " * 700, 3)]
    assert [len(chunk.text) <= LIMIT and bool(without_edits(chunk.text)) for chunk in cut(turns)] == [True, True]

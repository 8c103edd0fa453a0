"""What past sessions settled without a note: offered with its quote, captured or dismissed by the user only."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from autology.cli import main
from autology.places import data_dir
from autology.tools.project import ServedProject
from tests.fakes.talk import Edit, Said, write

FIRST, SECOND, THIRD = (f"{digit * 8}-0000-4000-8000-000000000000" for digit in "abc")
KEY = "AKIA" + "QX3TZ7PLMNB2WRD5"
Pairs = list[tuple[str, str]]


def session(day: int, *pairs: tuple[str, str]) -> list[Said]:
    return [Said(f"2026-03-{day:02d}T09:{at:02d}:00Z", prompt, answer) for at, (prompt, answer) in enumerate(pairs)]


QUEUE = session(
    2,
    ("we need a job queue", "Celery is the usual one, Huey is smaller. I would take Celery."),
    ("huey, we have three jobs", "Huey runs the jobs now, with one worker."),
    ("never put a customer's name into a job's arguments", "Arguments hold ids only."),
    ("for now skip the tests", "Skipped."),
    ("does huey retry", "Yes, with Retry(max=3)."),
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert main(["init", "--yes"]) == 0
    return folder


def mine(capsys: pytest.CaptureFixture[str], *words: str, code: int | None = None) -> Any:
    capsys.readouterr()
    result = main(["review", "--mined", *words, "--json"])
    assert code is None or result == code
    return json.loads(capsys.readouterr().out)


def quotes(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    return [(one["kind"], one["quote"]) for one in mine(capsys)["mined"]]


def talk(shop: Path, id: str, messages: list[Said]) -> None:
    write(shop.parent / "claude", str(shop), id, messages)


CHOICE = ("settled", "huey, we have three jobs")
RULE = ("rule", "never put a customer's name into a job's arguments")


def test_a_choice_that_was_offered_and_carried_out_and_a_rule_are_offered(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(shop, FIRST, QUEUE)
    assert quotes(capsys) == [RULE, CHOICE]
    rule, choice = mine(capsys, code=1)["mined"]
    assert (choice["author"], choice["session"]) == ("user", FIRST)
    assert choice["outcome"] == "Huey runs the jobs now, with one worker."
    assert not list((shop / ".autology" / "nodes").rglob("*.md"))  # nothing is written by itself
    assert main(["review", "--mined"]) == 1
    assert f"autology review --mined {rule['id'][:8]} --accept | --dismiss" in capsys.readouterr().out


def test_an_accepted_candidate_becomes_a_note_and_is_not_offered_again(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(shop, FIRST, QUEUE)
    id = mine(capsys)["mined"][1]["id"]
    captured = mine(capsys, id[:8], "--accept", "--title", "Jobs run on Huey", code=0)["captured"]
    assert (captured["title"], captured["type"]) == ("Jobs run on Huey", "decision")
    [note] = (shop / ".autology" / "nodes").rglob("*.md")
    text = note.read_text(encoding="utf-8")
    assert "“huey, we have three jobs”" in text
    assert FIRST in text
    assert quotes(capsys) == [RULE]


def test_a_dismissed_candidate_is_remembered(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, QUEUE)
    id = mine(capsys)["mined"][0]["id"]
    assert mine(capsys, id[:8], "--dismiss", code=0) == {"dismissed": id}
    assert quotes(capsys) == [CHOICE]
    assert (Path(data_dir()) / "mined-answers.txt").read_text(encoding="utf-8") == f"{id} dismissed\n"
    assert main(["review", "--mined", id[:8], "--accept"]) != 0
    assert "List the candidates" in capsys.readouterr().err


def test_what_a_note_says_already_is_not_offered(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, QUEUE)
    note = [
        "--title",
        "Jobs run on Huey",
        "--type",
        "decision",
        "--content",
        "## Decision\n\nHuey with one worker, for jobs.",
    ]
    assert main(["capture", *note]) == 0
    assert quotes(capsys) == [RULE]


def test_a_choice_that_a_later_session_replaces_is_not_offered(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, QUEUE[:2])
    later = session(
        9,
        ("huey loses jobs when the worker dies", "Dramatiq acknowledges late and keeps them."),
        ("swap huey for dramatiq", "Huey is gone, Dramatiq runs the jobs."),
    )
    talk(shop, SECOND, later)
    assert quotes(capsys) == [("settled", "swap huey for dramatiq")]


def test_a_choice_that_a_later_prompt_drops_is_not_offered(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, QUEUE[:2])
    talk(shop, SECOND, session(9, ("jobs get lost", "Shall I look?"), ("huey is out, please", "Done.")))
    assert quotes(capsys) == []


def test_a_choice_that_a_later_answer_says_was_undone_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = session(
        9, ("jobs get lost", "Files would do."), ("files after all then", "Jobs are files now, Huey is removed.")
    )
    talk(shop, FIRST, [*QUEUE[:2], *changed])
    assert quotes(capsys) == [("settled", "files after all then")]
    talk(shop, FIRST, QUEUE[:2])
    talk(shop, SECOND, session(9, ("why files again", "We went back from Huey to files last week."), ("ah", "Yes.")))
    assert quotes(capsys) == []


def test_a_choice_stays_when_something_else_of_its_name_is_undone(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = session(
        9,
        ("clean up", "The retries in huey_config.py are removed."),
        ("the cron file too", "Cron is replaced by Huey there, too."),
    )
    talk(shop, FIRST, QUEUE[:2])
    talk(shop, SECOND, later)
    assert quotes(capsys) == [CHOICE]


def test_a_choice_that_shares_a_word_with_a_later_replacement_stays(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = "never send a reminder text before eight in the morning"
    talk(shop, FIRST, session(2, ("let's do reminders", "Ready."), (rule, "Texts wait until 08:00.")))
    talk(
        shop,
        SECOND,
        session(9, ("the demo is tomorrow", "Shall I seed it?"), ("comment out the reminder job", "Done.")),
    )
    assert quotes(capsys) == [("rule", rule)]


def exchange(day: int, prompt: str, answer: str, *edits: Edit) -> Said:
    return Said(f"2026-03-{day:02d}T10:00:00Z", prompt, answer, edits)


OFFERED = [
    ("how do images get resized", "Sharp is fast, Jimp needs no native code.", "sharp", "Images go through Sharp."),
    ("retry limit of the sender", "3 tries, or 5.", "5", "The sender gives up after 5 tries."),
    ("where do toasts appear", "At the bottom, or at the top.", "bottom it is", "Toasts appear at the bottom."),
    ("Wie lange gilt ein Link?", "Üblich sind 48 Stunden.", "48", "Links gelten 48 Stunden."),
]


@pytest.mark.parametrize(
    ("offered", "edit"),
    [
        (OFFERED[0], Edit("src/image.ts", 'import vips from "wasm-vips"', 'import sharp from "sharp"')),
        (OFFERED[1], Edit("send.py", "SENDER_TRIES = 3", "SENDER_TRIES = 5")),
        (OFFERED[2], Edit("Toast.tsx", "place={Place.CentreTop}", "place={Place.Bottom}")),
        (OFFERED[3], Edit("links.rb", "LINK_HOURS = 24", "LINK_HOURS = 48")),
    ],
)
@pytest.mark.parametrize("id", [FIRST, SECOND])
def test_a_choice_that_a_later_edit_replaces_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], offered: tuple[str, str, str, str], edit: Edit, id: str
) -> None:
    question, offer, choice, answer = offered
    settled = session(2, (question, offer), (choice, answer))
    talk(shop, FIRST, settled)
    assert quotes(capsys) == [("settled", choice)]
    later = exchange(9, "support has trouble with it again, see the mail", "Understood, changed.", edit)
    talk(shop, id, [*settled, later] if id == FIRST else [later])
    assert quotes(capsys) == []


@pytest.mark.parametrize(
    ("offered", "edit"),
    [
        (OFFERED[0], Edit("src/image.ts", "sharp(file).rotate()", "sharp(file)")),
        (OFFERED[1], Edit("grid.py", "COLUMNS = 3", "COLUMNS = 5")),
        (OFFERED[1], Edit("send.py", "SENDER_TRIES = 5  # tries", "SENDER_TRIES = 5")),
        (OFFERED[2], Edit("Toast.tsx", "place={Place.Bottom} wide", "place={Place.Bottom}")),
    ],
)
def test_a_choice_stays_when_an_edit_changes_something_else(
    shop: Path, capsys: pytest.CaptureFixture[str], offered: tuple[str, str, str, str], edit: Edit
) -> None:
    question, offer, choice, answer = offered
    talk(shop, FIRST, session(2, (question, offer), (choice, answer)))
    talk(shop, SECOND, [exchange(9, "have a look at the ticket", "Done.", edit)])
    assert quotes(capsys) == [("settled", choice)]


CHANGES = [
    ("sharp crashes on the old servers", "Images go through libvips in wasm, Sharp is retired."),
    ("customers wait too long", "The sender gives up after 2 tries."),
    ("the keyboard hides them on phones", "Toasts appear at the top, not at the bottom any more."),
    ("Die Prüfer wollen es kürzer", "Links gelten 24 Stunden."),
]
MENTIONS = [
    ("how large may an image be", "Sharp stops at 268 megapixels by default."),
    ("which header says that it is a retry", "X-Try, 1 at the first try of the sender."),
    ("does a screen reader read toasts", "Yes, toasts have the role status."),
    ("Steht das in der Hilfe?", "Ja, im Kapitel über Links, mit 48 Stunden."),
]


@pytest.mark.parametrize(
    ("offered", "later", "is_offered"),
    [
        *((offered, later, False) for offered, later in zip(OFFERED, CHANGES, strict=True)),
        *((offered, later, True) for offered, later in zip(OFFERED, MENTIONS, strict=True)),
    ],
)
def test_a_choice_stays_unless_later_talk_changes_it_in_other_words(
    shop: Path,
    capsys: pytest.CaptureFixture[str],
    offered: tuple[str, str, str, str],
    later: tuple[str, str],
    is_offered: bool,
) -> None:
    question, offer, choice, answer = offered
    talk(shop, FIRST, session(2, (question, offer), (choice, answer)))
    talk(shop, SECOND, session(9, ("good morning", "Good morning."), later))
    assert quotes(capsys) == ([("settled", choice)] if is_offered else [])


@pytest.mark.parametrize(
    ("offer", "prompt", "answer"),
    [
        (
            "The scanner reads labels of four sizes.",
            "help, the scanner in hall two beeps at each parcel, the labels are wet, we all wait, the gate is shut",
            "The scanner in hall two rejects wet labels; I raised its exposure, so the drivers can go on.",
        ),
        (
            "The valve opens at 3 bar.",
            "the installer was here yesterday and measured the valve at 4 bar",
            "Then the valve opens late: 4 bar is above its mark.",
        ),
        (
            "The import reads the price list at night.",
            "on the first day of the sale we had the price list open twice",
            "Two writers of the price list explain the gap on that day of the sale.",
        ),
        (
            "Der Export läuft nachts.",
            "der Export war gestern früh wieder leer, sagt das Lager",
            "Der Export war leer, weil die Sicht fehlte.",
        ),
        ("Search ranks by date.", "nobody reads that on a phone anyway", "Search ranks by relevance too."),
        ("Ready.", "das braucht niemand je, niemand liest das", "Gut."),
    ],
)
def test_stories_reports_and_reasons_are_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], offer: str, prompt: str, answer: str
) -> None:
    talk(shop, FIRST, session(2, ("look at this please", offer), (prompt, answer)))
    assert quotes(capsys) == []


PAGES = ("how do we cache pages", "Varnish in front, or Redis inside; I'd take Varnish.")
CACHED = ("varnish it is", "Varnish caches the pages now.")


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("anything but varnish", "Understood, no Varnish."),
        ("varnish, hard pass", "Varnish is off the list."),
        ("I'd skip varnish", "Skipping Varnish."),
        ("we're not doing varnish", "No Varnish then."),
        ("I won't have varnish in this house", "Varnish stays out."),
        ("let's keep varnish in mind", "Varnish stays an option."),
        ("varnish maybe next year", "Varnish next year, noted."),
        ("varnish as plan b", "Varnish is plan B."),
        ("varnish then, unless it needs root", "Varnish needs root for port 80."),
        ("varnish once we have traffic", "Varnish later, when there is traffic."),
        ("varnish only if the admins ask for it", "Then Varnish waits for the admins."),
        ("the boss wants varnish", "Varnish is simple, that is true."),
        ("you decide between varnish and redis", "I'd say Varnish."),
        ("benchmark varnish please", "Varnish serves 12,000 requests per second."),
        ("auf keinen fall varnish", "Varnish fällt weg."),
        ("varnish später mal", "Varnish kommt auf die Liste."),
        ("surtout pas varnish", "Varnish est écarté."),
        ("varnish ni hablar", "Varnish descartado."),
    ],
)
def test_what_is_dismissed_postponed_or_conditional_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str, answer: str
) -> None:
    talk(shop, FIRST, session(2, PAGES, (prompt, answer)))
    assert quotes(capsys) == []


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("redis after all", "Redis caches the pages now."),
        ("after sleeping on it: redis", "Redis caches the pages now."),
        ("that was a mistake, redis", "Redis caches pages now."),
        ("on reflection redis is better", "Pages are cached in Redis now."),
        ("lieber redis", "Redis caches the pages now."),
    ],
)
@pytest.mark.parametrize("id", [FIRST, SECOND])
def test_a_choice_is_not_offered_if_what_was_offered_beside_it_is_taken_later(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str, answer: str, id: str
) -> None:
    settled, later = session(2, PAGES, CACHED), session(9, ("the cache again", "Tell me."), (prompt, answer))
    talk(shop, FIRST, [*settled, *later] if id == FIRST else settled)
    if id == SECOND:
        talk(shop, SECOND, later)
    assert ("settled", CACHED[0]) not in quotes(capsys)


def test_a_choice_stays_if_what_was_offered_beside_it_is_taken_for_something_else(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(shop, FIRST, session(2, PAGES, CACHED))
    talk(shop, SECOND, session(9, ("where do carts live", "In Redis or on disk."), ("redis", "Redis holds the carts.")))
    assert quotes(capsys) == [("settled", "redis"), ("settled", CACHED[0])]


@pytest.mark.parametrize(
    ("settled", "later"),
    [
        (  # what was offered beside it, in the next prompt
            [("name of the module", "Billing, invoicing or money."), ("money", "The module is called money.")],
            [("peter laughed at me. billing", "Renamed to billing.")],
        ),
        (  # the same thing set to something that nobody offered before
            [("tabs or one page", "Tabs fit five."), ("tabs", "Settings are in tabs.")],
            [("two users got lost", "An accordion shows all."), ("accordion then", "Settings are in an accordion.")],
        ),
        (
            [("quel format", "CSV est simple, XLSX plus joli."), ("csv", "L'export est en CSV.")],
            [("la comptable pleure. xlsx alors", "L'export est en XLSX.")],
        ),
        (
            [("how long do carts live", "A week is usual."), ("7 days, a week", "Carts expire after 7 days.")],
            [("we are seasonal", "A month would do."), ("then a month", "Carts expire after 30 days now.")],
        ),
        (  # what the talk that led to it is about
            [("pdf library", "WeasyPrint or ReportLab."), ("weasyprint", "WeasyPrint makes the invoices.")],
            [("the image has 900 MB", "WeasyPrint pulls fonts."), ("then reportlab", "Done, ReportLab draws them.")],
        ),
        (  # offered once more, and only agreed to
            [("where do we host", "Hetzner is cheap, Fly is easy."), ("fly", "The app runs on Fly.")],
            [
                ("fly is down. enough", "A server at Hetzner is cheap."),
                ("do it", "Moved to Hetzner, DNS points there."),
            ],
        ),
        (  # undone in words of the outcome, not of the choice
            [
                ("cache the search?", "Redis, five minutes."),
                ("redis, five minutes", "Search results are in the cache."),
            ],
            [("stock is wrong", "The cache is old."), ("then without", "The cache of search results is off.")],
        ),
    ],
)
@pytest.mark.parametrize("id", [FIRST, SECOND])
def test_a_choice_that_later_talk_sets_otherwise_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], settled: Pairs, later: Pairs, id: str
) -> None:
    if id == SECOND and len(later) > 1:
        talk(shop, FIRST, session(2, *settled))
        talk(shop, SECOND, session(9, *later))
    else:
        talk(shop, FIRST, session(2, *settled, *later))
    assert settled[1][0] not in [quote for _, quote in quotes(capsys)]


@pytest.mark.parametrize(
    ("settled", "later"),
    [
        (
            [("which python", "3.12 or 3.13."), ("3.12", "The image has Python 3.12.")],
            [("node?", "22 or 24."), ("22", "The image has Node 22.")],
        ),
        (
            [("header colour", "Navy or white."), ("navy", "The header is navy.")],
            [("footer?", "White or grey."), ("white", "The footer is white.")],
        ),
        (
            [("soft delete?", "A column, or an archive table."), ("a column", "Rows get a column deleted_at.")],
            [("orders?", "An archive table after a year."), ("archive table for orders", "Orders move to a table.")],
        ),
    ],
)
def test_a_choice_stays_if_something_else_is_set_in_the_same_words(
    shop: Path, capsys: pytest.CaptureFixture[str], settled: Pairs, later: Pairs
) -> None:
    talk(shop, FIRST, session(2, *settled, *later))
    assert settled[1][0] in [quote for _, quote in quotes(capsys)]


@pytest.mark.parametrize(
    ("offer", "prompt", "answer"),
    [
        ("A rerun may help.", "while you are there: what is this cron mail", "It is a cron mail, a rerun's."),
        ("The printer driver restarts now.", "the printer is back, thank you", "Good, the printer is back."),
        ("Svelte is smaller, Vue is known.", "my colleague swears by svelte", "Svelte has fewer developers."),
        ("It waits for two seconds.", "two seconds, I see", "Two seconds, doubled each time."),
        ("Mailgun, until March.", "mailgun, right, the expensive one", "Yes, Mailgun was 35 dollars."),
        ("Yes, the planner uses idx_orders.", "idx_orders, nice", "The planner uses idx_orders for most."),
        ("I would delete 4,000 old files; please confirm.", "Confirmed.", "4,000 old files deleted."),
    ],
)
def test_what_only_takes_note_or_asks_beside_or_confirms_an_errand_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], offer: str, prompt: str, answer: str
) -> None:
    talk(shop, FIRST, session(2, ("how is it", offer), (prompt, answer)))
    assert quotes(capsys) == []


@pytest.mark.parametrize(
    ("offer", "prompt", "quote"),
    [
        ("Sharp or Jimp.", "we had jimp in the last shop and it leaked. sharp", "sharp"),
        ("Sharp or Jimp.", "my colleague was burnt by native code once. let's use jimp", "let's use jimp"),
        ("Per row or in one batch.", "rows have to be sent in one batch", "rows have to be sent in one batch"),
    ],
)
def test_a_choice_with_a_story_before_it_is_offered_without_the_story(
    shop: Path, capsys: pytest.CaptureFixture[str], offer: str, prompt: str, quote: str
) -> None:
    talk(shop, FIRST, session(2, ("how do we do it", offer), (prompt, f"Done: {quote}.")))
    assert quotes(capsys) == [("settled", quote)]


def test_what_a_later_session_says_again_is_offered_once(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "never put a customer's name into the arguments of a job"
    talk(shop, FIRST, session(2, ("job arguments", "Ready."), (rule, "Arguments hold ids only.")))
    again = "and remember: never a customer's name in the arguments of any job"
    talk(shop, SECOND, session(9, ("the audit", "Shall I look?"), (again, "Checked, none has one.")))
    assert quotes(capsys) == [("rule", again)]


@pytest.mark.parametrize(
    "prompt",
    [
        "hm no, take it out",
        "undo that",
        "wait, no, the intro needs 60",
        "on second thought leave it as it was",
        "everything stutters. back it out",
        "that looks awful, give me the old one",
        "nimm das wieder raus",
        "doch nicht",
        "finalement non",
        "quítalo",
    ],
)
def test_a_choice_that_the_next_prompt_takes_back_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str
) -> None:
    capped = session(
        2,
        ("the fans are loud", "Cap the frame rate at 30, or render on change only."),
        ("cap at 30 frames", "The frame rate is capped at 30 frames."),
        (prompt, "Removed."),
    )
    talk(shop, FIRST, capped)
    assert quotes(capsys) == []


def test_a_short_answer_that_names_only_what_was_offered_is_a_choice(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    offer = "Qt Linguist is native; gettext has better plurals."
    talk(shop, FIRST, session(2, ("how do we translate", offer), ("linguist", "translations/de.ts is there.")))
    talk(shop, SECOND, session(3, ("how do we translate", offer), ("plurals matter to us most", "Understood.")))
    assert quotes(capsys) == [("settled", "linguist")]


def test_a_fix_is_offered_if_the_user_confirmed_it_and_not_before(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = [
        Said(
            "2026-03-02T09:00:00Z",
            "the export hangs at night",
            "I doubled the pool.",
            (Edit("pool.py", "SIZE = 40\n"),),
        ),
        Said(
            "2026-03-02T09:10:00Z", "still hangs", "Decoding held the connection; it is released before decoding now."
        ),
    ]
    talk(shop, FIRST, failed)
    assert quotes(capsys) == []
    talk(shop, FIRST, [*failed, Said("2026-03-05T09:00:00Z", "five nights clean, solved", "Good.")])
    assert quotes(capsys) == [("fix", "Decoding held the connection; it is released before decoding now.")]


@pytest.mark.parametrize(
    ("offer", "prompt", "answer"),
    [
        ("Redis or Memcached; I recommend Redis.", "redis maybe, let me ask the boss", "Redis waits for your answer."),
        ("Redis or Memcached; I recommend Redis.", "does redis need much memory", "Redis needs little memory."),
        ("Redis or Memcached; I recommend Redis.", "redis just for today", "Redis runs until tomorrow."),
        (
            "The build is slow.",
            'check my text: "we never use Redis in new services"',
            "The text about Redis reads fine.",
        ),
        ("I changed the delay to 12 seconds.", "toujours 12", "Encore 12 ?"),
        ("A clock or a table of cards.", "I quite like the cards in principle", "Cards take more room."),
        ("Redis or Memcached; I recommend Redis.", "redis is not worth it", "Then there is no Redis."),
        (
            "I add a median over the readings.",
            "the readings still have spikes",
            "Then the readings come from the chip.",
        ),
        (
            "What did the audit say?",
            "a) keys in logs b) sessions c) images",
            "Proposals for keys, sessions and images.",
        ),
        ("432 readings are off.", "oui recalcule", "Recalculé : 432 mesures."),
        ("Shall I tell them?", "Schicken Sie die Zahlen als Mail", "Die Mail an Sie ist fertig."),
        ("Ready.", "never mind, leave the old one as it is", "Nothing is changed."),
        ("Ready.", "two of five boxes never came back after that", "Both boxes lost power."),
        ("Ready.", "it rained, so nobody will be cross with us", "Good to hear."),
        ("Redis or files.", "if we had ten servers redis would do", "Redis would do for ten servers."),
        ("A second palette.", "a second palette would be nice", "A second palette is a day of work."),
        ("Per seat or flat.", "suppose we charge per seat", "Per seat, a team of ten pays 90."),
        ("Offline?", "imagine the device never has a network", "Then the queue is never sent."),
        ("SES or a relay.", "the relay for the moment", "Mail goes through the relay."),
        ("I can hardcode the tenant.", "hardcode the tenant, quick hack for the demo", "The tenant is hardcoded."),
        ("Fink oder Amsel.", "amsel, provisorisch", "Das Paket heißt amsel."),
        ("Pinson ou merle.", "merle, provisoirement", "Le paquet s'appelle merle."),
        ("Ready.", "my boss thinks every endpoint must have a cache", "That depends on how often data changes."),
        ("Ready.", "at stripe they said rows must never be deleted", "Soft deletes are common there."),
        ("Ready.", "the build always fails on mondays", "The certificate job runs on Mondays."),
        ("Ready.", "der build ist immer rot am montag", "Am Sonntag läuft das Zertifikat ab."),
        ("Ready.", "the log always has two lines of each", "Because there are two handlers."),
        ("Ready.", "someone must have deleted that bucket", "The audit log shows a delete."),
        ("Ready.", "the cache never expires", "The cache has no limit, it never expires."),
        ("Ready.", "users always click the wrong button", "The right button is grey: users always overlook it."),
        ("Viridis is readable.", "don't like viridis, looks sick", "Viridis is out then."),
        ("I suggest three retries.", "we can live without retries", "No retries then."),
        ("PostgreSQL wäre üblich.", "postgresql lieber nicht", "PostgreSQL fällt weg."),
        ("RabbitMQ est courant.", "rabbitmq ne me plaît pas du tout", "RabbitMQ est écarté."),
        ("RabbitMQ es lo habitual.", "rabbitmq no me convence", "RabbitMQ descartado."),
        ("I'd add an index on email.", "good point, put the index on the list", "The index is on the list."),
        ("I can fix it, and the changelog.", "fix the readme and the changelog", "Fixed readme and changelog."),
        ("Shall I open the pull request?", "yes, open the pull request", "The pull request is open."),
        ("4 merged branches.", "delete the merged branches", "The merged branches are deleted."),
        ("Jobs and logs are ready.", "check the jobs and the logs please", "Jobs are fine, logs are quiet."),
        ("Ready.", "explain why commits must be signed", "The release job verifies signed commits."),
        ("S3 or MinIO.", "minio as a trial", "MinIO runs on the test box."),
        ("S3 or MinIO.", "minio mal auf probe", "MinIO läuft auf dem Testserver."),
        ("S3 or MinIO.", "s3 has pros, minio has pros", "MinIO needs no contract."),
        ("S3 or MinIO.", "minio, the bigger box", "I can't install MinIO there: no network."),
        ("Ready.", "must every commit be signed", "Every commit must be signed by the settings."),
        ("Ready.", "not always reproducible here", "It is a race."),
        ("Ready.", "ok so it says sessions must expire at night", "At night, yes."),
        ("Ready.", "so commits must be signed, right", "Commits must be signed, the release job verifies it."),
        ("Ready.", "> never use Redis in new services\nwhat do they mean", "They mean new services."),
        ("Ready.", "an odd -- pause --- and a/ b", "A pause."),
    ],
)
def test_questions_doubts_dismissals_exceptions_and_quotes_are_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], offer: str, prompt: str, answer: str
) -> None:
    talk(shop, FIRST, session(2, ("look at this please", offer), (prompt, answer)))
    assert quotes(capsys) == []


@pytest.mark.parametrize(
    ("offer", "prompt", "answer"),
    [
        ("Möglich sind Keycloak oder API-Schlüssel.", "api-schlüssel", "Die API-Schlüssel sind eingerichtet."),
        ("Prestataires : Yousign, DocuSign.", "yousign", "Intégration faite avec Yousign."),
        ("Se puede usar Redis o Memcached.", "redis", "Redis ya está configurado."),
    ],
)
def test_choices_are_offered_in_any_language(
    shop: Path, capsys: pytest.CaptureFixture[str], offer: str, prompt: str, answer: str
) -> None:
    talk(shop, FIRST, session(2, ("start", offer), (prompt, answer)))
    assert quotes(capsys) == [("settled", prompt)]


@pytest.mark.parametrize(
    "prompt",
    [
        "run the tests in parallel from now on",
        "we must never print a customer's name",
        "nobody gets a text at night, that was a mess in my old company",
        "the cache must never fail silently",
    ],
)
def test_rules_that_read_like_errands_observations_or_reports_are_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str
) -> None:
    talk(shop, FIRST, session(2, ("look at this please", "Ready."), (prompt, "That is how it is now.")))
    assert len(quotes(capsys)) == 1


@pytest.mark.parametrize("prompt", ["do it", "yes, go on", "lovely, add that"])
def test_what_was_offered_is_quoted_if_the_user_only_agreed_and_it_was_carried_out(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str
) -> None:
    offer = "I can also add a check to CI that compares the models with the database."
    answer = "CI compares the models with the database."
    talk(shop, FIRST, session(2, ("an index was dropped", f"It is back. {offer}"), (prompt, answer)))
    [candidate] = mine(capsys)["mined"]
    assert (candidate["quote"], candidate["author"], candidate["outcome"]) == (offer, "assistant", answer)


@pytest.mark.parametrize(
    ("rule", "title", "text"),
    [
        ("timestamps in the tables are always utc", "Database times are in UTC", "Every timestamp is stored in UTC."),
        (
            "from now on each commit begins with its ticket id",
            "Ticket numbers in commit messages",
            "A commit message starts with the number of its ticket.",
        ),
    ],
)
def test_what_a_note_says_in_other_words_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], rule: str, title: str, text: str
) -> None:
    talk(shop, FIRST, session(2, ("look at this", "Ready."), (rule, f"Understood: {text}")))
    assert quotes(capsys) == [("rule", rule)]
    assert main(["capture", "--title", title, "--type", "convention", "--content", text]) == 0
    assert quotes(capsys) == []


def test_a_note_that_only_mentions_a_choice_does_not_hide_it(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, QUEUE[:2])
    content = "The status page lists the web server, the mail relay, the backups and Huey, refreshed each minute."
    assert main(["capture", "--title", "A status page for operators", "--type", "component", "--content", content]) == 0
    assert quotes(capsys) == [CHOICE]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("always use utc for timestamps in the database", "timestamps in the db must be in utc only"),
        ("commit messages must start with the ticket number", "every commit message needs its ticket number in front"),
    ],
)
def test_a_rule_that_another_session_says_in_other_words_is_offered_once(
    shop: Path, capsys: pytest.CaptureFixture[str], first: str, again: str
) -> None:
    talk(shop, FIRST, session(2, ("look at this", "Ready."), (first, "Understood, it is checked.")))
    talk(shop, SECOND, session(9, ("the review", "Shall I look?"), (again, "Understood, it is checked.")))
    assert quotes(capsys) == [("rule", again)]


@pytest.mark.parametrize("answer", ["Which one do you mean?", "Understood."])
def test_what_was_offered_and_not_carried_out_is_not_offered(
    shop: Path, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    talk(shop, FIRST, session(2, ("an index was dropped", "I can add a check to CI."), ("do it", answer)))
    assert quotes(capsys) == []


def test_what_the_user_excludes_is_a_choice_if_it_was_carried_out(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt = "and no docker, i can't be bothered"
    talk(shop, FIRST, session(2, ("where does it run", "On a server."), (prompt, "No Docker: a venv and systemd.")))
    assert quotes(capsys) == [("settled", prompt)]


def test_a_decided_choice_may_have_been_offered_before_another_question(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    messages = session(
        2,
        ("how do alarms arrive", "By SMS, or by ntfy."),
        ("does that go through silent mode", "On Android it does."),
        ("let's do ntfy then", "Alarms go to ntfy with priority 5."),
    )
    talk(shop, FIRST, messages)
    assert quotes(capsys) == [("settled", "let's do ntfy then")]


def test_of_two_numbers_for_one_thing_the_later_is_offered(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = session(
        2,
        ("the knob jumps", "A debounce of 5 ms would do."),
        ("a debounce of 5 ms", "The debounce is 5 ms."),
        ("it jumps less", "The data sheet says 20 ms."),
        ("20 ms, the others tolerate it too", "The debounce is 20 ms for both parts."),
    )
    talk(shop, FIRST, messages)
    assert quotes(capsys) == [("settled", "20 ms, the others tolerate it too")]


def test_what_one_session_says_twice_is_offered_once(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = session(
        2,
        ("job arguments", "Ready."),
        ("never put a customer's name into the arguments of a job", "Arguments hold ids only."),
        ("what else", "The logs hold names."),
        ("and remember: never a customer's name in arguments of jobs", "Checked, none has one."),
    )
    talk(shop, FIRST, messages)
    assert len(quotes(capsys)) == 1


@pytest.mark.parametrize("prompt", ["as I said: no network in tests, ever", "tests have no network. always"])
def test_a_rule_said_again_in_other_words_is_offered_once(
    shop: Path, capsys: pytest.CaptureFixture[str], prompt: str
) -> None:
    rule = "tests must never touch the network"
    talk(shop, FIRST, session(2, ("tests", "Ready."), (rule, "Right."), (prompt, "A fixture blocks the network.")))
    assert quotes(capsys) == [("rule", rule)]


def test_a_choice_that_becomes_a_rule_is_offered_once(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = session(
        2,
        ("Preise", "Als Dezimalzahl oder in Cent."),
        ("in cent", "Preise stehen in Cent."),
        ("preise immer in cent, auch im export", "Der Export hat Preise in Cent."),
    )
    talk(shop, FIRST, messages)
    assert quotes(capsys) == [("settled", "in cent")]


@pytest.mark.parametrize("id", [FIRST, SECOND])
def test_a_fix_of_what_fails_again_is_not_offered(shop: Path, capsys: pytest.CaptureFixture[str], id: str) -> None:
    fixed = [
        Said("2026-03-02T09:00:00Z", "login fails", "The session key was missing.", (Edit("a.py", "KEY = 1\n"),)),
        Said("2026-03-02T09:10:00Z", "works now", "Good."),
    ]
    again = [Said("2026-03-05T09:00:00Z", "login fails again, the session key", "Let me look.")]
    talk(shop, FIRST, fixed)
    assert [kind for kind, _ in quotes(capsys)] == ["fix"]
    talk(shop, id, [*fixed, *again] if id == FIRST else again)
    assert quotes(capsys) == []


def test_what_works_in_part_is_no_fix(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = [
        Said("2026-03-02T09:00:00Z", "images are broken", "The path was relative.", (Edit("a.py", "P = 1\n"),)),
        Said("2026-03-02T09:10:00Z", "the first works but the others are blank", "Let me look."),
    ]
    talk(shop, FIRST, messages)
    assert quotes(capsys) == []


def test_a_fix_that_is_confirmed_twice_is_offered_once(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = [
        Said(
            "2026-03-02T09:00:00Z", "the export still hangs", "Released early now.", (Edit("pool.py", "SIZE = 40\n"),)
        ),
        Said("2026-03-05T09:00:00Z", "five nights clean, solved", "Good, I close the ticket."),
        Said("2026-03-06T09:00:00Z", "perfect", "Anything else?"),
    ]
    talk(shop, FIRST, messages)
    assert quotes(capsys) == [("fix", "Released early now.")]


def test_secrets_are_left_out(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(shop, FIRST, session(2, ("start", "Ready."), (f"never use the key {KEY} in tests again", "Understood.")))
    assert KEY not in json.dumps(mine(capsys))


def test_answers_need_the_candidates(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "aaaa", "--accept"]) != 0
    assert "needs --mined" in capsys.readouterr().err
    assert main(["review", "--mined", "--dismiss"]) != 0
    assert "is missing" in capsys.readouterr().err


def offered(shop: Path) -> list[str]:
    file = shop / ".autology" / "cache" / "index-mined.jsonl"
    return [json.loads(line)["quote"] for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_end_of_a_session_leaves_what_waits_for_the_next_start(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(shop, FIRST, QUEUE)
    assert main(["archive", "--session", FIRST]) == 0
    assert offered(shop) == [RULE[1], CHOICE[1]]
    ids = [one["id"] for one in mine(capsys)["mined"]]
    mine(capsys, ids[0], "--dismiss")
    assert offered(shop) == [CHOICE[1]]
    mine(capsys, ids[1], "--accept")
    assert offered(shop) == []


def test_a_server_mines_what_went_on_since_and_forgets_what_may_not_be_read(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(shop, FIRST, QUEUE)
    project = ServedProject(str(shop))
    project.read_past()
    assert offered(shop) == [RULE[1], CHOICE[1]]
    file = shop / ".autology" / "cache" / "index-mined.jsonl"
    file.write_text("")
    project.read_past()  # nothing is new
    assert offered(shop) == []
    os.utime(file, (1_000_000_000, 1_000_000_000))
    project.read_past()
    assert offered(shop) == [RULE[1], CHOICE[1]]
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("AUTOLOGY_CONVERSATIONS", "off")
    ServedProject(str(shop)).read_past()
    assert offered(shop) == []

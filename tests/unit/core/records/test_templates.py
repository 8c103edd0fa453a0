"""Templates and what generators copy are no records, wherever they lie; a record that forgot its date is one."""

from __future__ import annotations

import pytest

from tests.unit.core.records.records_kit import adr, adrs, records

BODY = "\n\n## Context and Problem Statement\n\nWhy?\n\n## Considered Options\n\n* one\n\n## Decision Outcome\n\nOne.\n"
NYGARD = "\n\n## Context\n\nWhy?\n\n## Decision\n\nWe do.\n\n## Consequences\n\nSome.\n"
TEMPLATES = {
    "short.md": f"# [short title of solved problem and solution]\n\n* Status: proposed\n* Date: [YYYY-MM-DD]{BODY}",
    "madr.md": "---\nstatus: {proposed | rejected | accepted | deprecated}\ndate: {YYYY-MM-DD}\n---\n"
    f"# {{short title, representative of solved problem and found solution}}{BODY}",
    "adr-tools.md": f"# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS{NYGARD}",
    "rfc.md": f"# RFC NNNN: <Title>\n\n- Status: draft\n- Start Date: YYYY-MM-DD{NYGARD}",
    "handlebars.md": f"# {{{{title}}}}\n\n* Status: accepted\n* Date: {{{{date}}}}{BODY}",
    "capitals.md": f"# Use our tool for decisions\n\n- Status: accepted\n- Date: {{DATE_YESTERDAY}}{BODY}",
    "erb.md": f"# Record decisions\n\n- Status: accepted\n- Date: <%= today %>{BODY}",
    "shell.md": f"# Record decisions\n\n- Status: accepted\n- Date: ${{today}}{BODY}",
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_among_records_is_no_record(name: str) -> None:
    for path in (f"docs/adr/{name}", f"docs/adr/0000-{name}", f"docs/adr/0042-{name}"):
        assert records({**adrs(), path: TEMPLATES[name]}) == records(adrs())


@pytest.mark.parametrize(
    "folder",
    [
        "packages/init/assets",
        "packages/cli/templates/adr",
        "generators/app/stubs/docs/adr",
        "{{cookiecutter.project}}/docs/adr",
        "skeleton/docs/decisions",
    ],
)
def test_what_a_package_copies_into_other_projects_is_no_collection(folder: str) -> None:
    assert records({**adrs(), **{f"{folder}/{name}": text for name, text in TEMPLATES.items()}}) == records(adrs())


def test_records_of_a_generator_that_it_fills_in_are_none_of_its_own() -> None:
    text = adr(1, "Use decision records")
    files = {f"generators/app/skeleton/docs/adr/000{at}-x{at}.md": text for at in range(1, 5)}
    assert records({**adrs(), **files}) == records(adrs())


@pytest.mark.parametrize(
    "text",
    [
        f"# Escape ${{name}} and {{{{name}}}} in mails\n\n* Status: accepted\n* Date: 2020-01-05{BODY}",
        f"# 9. Sign mails\n\nDate: YYYY-MM-DD\n\n## Status\n\nAccepted{NYGARD}",
    ],
)
def test_a_record_that_speaks_of_variables_or_forgot_a_date_is_one(text: str) -> None:
    assert "docs/adr/0009-mails.md" in records({**adrs(), "docs/adr/0009-mails.md": text})


def test_a_releases_template_is_no_record() -> None:
    files = adrs("specs") | {f"specs/2026.{at}-template.md": adr(at, "Example") for at in (1, 2)}
    assert [path for path in records(files) if "template" in path] == []

"""Links that name a record of another project, or only a part of one, replace nothing here."""

from __future__ import annotations

import pytest

from tests.unit.core.records.records_kit import located

HEAD = "# RFC {0}: {1}\n\n- Status: Accepted\n- Start Date: 2020-01-01\n{2}\n## Summary\n\nx\n\n## Motivation\n\nx\n"
NAMES = {13: "overlays", 31: "discover-features", 50: "wallets", 160: "connections"}
BASE = "https://github.com/example/rfcs/blob/main/text"


def kinds(line: str) -> list[tuple[str, str]]:
    """Return the links of record 50 that has that *line*, by kind and target."""
    files = {
        f"text/{number:04}-{name}.md": HEAD.format(number, name, line if number == 50 else "")
        for number, name in NAMES.items()
    }
    records = {record.path: record for record in located(files).records}
    return [(link.kind.value, link.target) for link in records["text/0050-wallets.md"].links]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- Supersedes: [HIPE 0013](https://github.com/other/hipe/tree/main/specs/0013-wallets)\n", []),
        (f"- Supersedes: [RFC 0013]({BASE}/0013-overlays.md)\n", [("supersedes", "text/0013-overlays.md")]),
        (f"- Supersedes: [RFC 0013]({BASE}/0013-former-name.md)\n", [("supersedes", "text/0013-overlays.md")]),
        (
            "- Supersedes: the invitation in [0160](0160-connections.md)\n",
            [("relates_to", "text/0160-connections.md")],
        ),
        (
            "- Supersedes: formats described in [0160](0160-connections.md), [0031](0031-discover-features.md), etc.\n",
            [("relates_to", "text/0031-discover-features.md"), ("relates_to", "text/0160-connections.md")],
        ),
        (
            "- Supersedes: [0160](0160-connections.md), uses concepts from [0031](0031-discover-features.md)\n",
            [("supersedes", "text/0160-connections.md"), ("relates_to", "text/0031-discover-features.md")],
        ),
        (
            "- Supersedes: [version 1.0 in RFC 0031](0031-discover-features.md)\n",
            [("supersedes", "text/0031-discover-features.md")],
        ),
        ("- Supersedes: — (builds directly on RFC 0031)\n", []),
        *(
            (f"- Supersedes: {part}\n", [("relates_to", "text/0031-discover-features.md")])
            for part in (
                "RFC 0031 **decision item 0** (the standalone choice)",
                "[RFC 0031](0031-discover-features.md) §1's ceiling only; the rest stands",
                "RFC 0031's roles (`owner`, `admin`)",
                "the *discovery* aspect of **RFC 0031**",
                "the model of accounts that RFC 0031 introduced",
                'implicit RFC 0031 Batch 4A "native storage" (never realized)',
                'the "RFC 0031 — wallet split" placeholder (the number was used for another)',
            )
        ),
        (
            "- Supersedes: [0160](0160-connections.md); amends **[0031](0031-discover-features.md)**\n",
            [("supersedes", "text/0160-connections.md"), ("relates_to", "text/0031-discover-features.md")],
        ),
        *(
            (f"- Supersedes: {whole}\n", [("supersedes", "text/0031-discover-features.md")])
            for whole in (
                "[RFC 0031 — discover features](0031-discover-features.md) (stub)",
                "RFC 0031 (discover features)",
                "all of RFC 0031",
                "RFC 0031, decided in 2019",
                "RFC 31 as a whole",
                "RFC 0031, as only wallets use it",
                "RFC 0031 - Append-only log",
                "RFC 0031. Step 2 follows",
                "- (RFC 0031)",
            )
        ),
        (
            "- Supersedes: RFC 0031 - Requires login (auto-updates), RFC 0160 - Connections\n",
            [("supersedes", "text/0031-discover-features.md"), ("supersedes", "text/0160-connections.md")],
        ),
    ],
)
def test_what_a_field_replaces(line: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(line) == expected

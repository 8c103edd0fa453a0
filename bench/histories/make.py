"""Takes the changes that name a decision out of the change logs of two releases: the files, and what was said of them.

    apt-get source --download-only tcl8.6      # and unpack it
    apt-get download gcc-12-source             # unpack it, and the change logs of libstdc++-v3 and gcc/cp in it
    python3 bench/histories/make.py TCL_FOLDER GCC_FOLDER

A decision is what its project has decided in the open: a Tcl Improvement Proposal, a paper or a defect report of C++.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAID = 600
"""Characters kept of what was said with a change."""
FILES = 20
"""Files of a change that is about something; one of more is about everything."""
_HEAD = re.compile(r"(\d{4}-\d\d-\d\d)\s+\S")
_PROPOSALS = re.compile(r"\bTIPs?[ #]*(\d+(?:\s*(?:,|/|and|&)\s*#?\d+)*)")
_STANDARD = re.compile(r"\b(?:(?:LWG|CWG|Core|DR)[ #]*(?P<report>\d+)|(?P<paper>[PN]\d{4})(?:R\d+)?)\b")
_LIST = re.compile(r"\*\s+[^:]*?:")
_ITEM = re.compile(r"\*\s+([^:]*?)\s*(?::|$)", re.MULTILINE)


def main(tcl: str, gcc: str) -> int:
    write("tcl", Path(tcl), _proposals)
    write("libstdcxx", Path(gcc, "libstdc++-v3"), _standard)
    write("cxx", Path(gcc, "gcc", "cp"), _standard)
    return 0


def _proposals(text: str) -> Iterator[str]:
    for found in _PROPOSALS.finditer(text):
        yield from re.findall(r"\d+", found[1])


def _standard(text: str) -> Iterator[str]:
    for found in _STANDARD.finditer(text):
        yield (found["report"] or found["paper"]).upper()


def write(name: str, folder: Path, named: Callable[[str], Iterator[str]]) -> None:
    rows = []
    for at, text in changes(folder):
        names = list(dict.fromkeys(named(_LIST.sub(" ", text))))
        files = list(dict.fromkeys(touched(text)))
        if names and 0 < len(files) <= FILES:
            rows.append({"at": at, "names": names, "files": files, "said": said(text)})
    if not rows:
        raise SystemExit(f"no change log with a decision in {folder}")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (HERE / f"{name}.jsonl").write_text(lines, encoding="utf-8", newline="\n")
    print(f"{name}: {len(rows)} changes, {len({name for row in rows for name in row['names']})} decisions")


def changes(folder: Path) -> list[tuple[str, str]]:
    """Return the changes of every log in *folder*, each with its day, oldest first."""
    found: list[tuple[str, str]] = []
    for log in sorted(folder.glob("ChangeLog*")):
        at, lines = "", [""]
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if head := _HEAD.match(line):
                found += ((at, text) for text in parted(lines) if at)
                at, lines = head[1], [""]
            else:
                lines.append(line.strip())
        found += ((at, text) for text in parted(lines) if at)
    found.reverse()  # A log begins with the newest; of one day's changes the last one stands first.
    return sorted(found, key=lambda change: change[0])


def parted(lines: list[str]) -> Iterator[str]:
    """Yield what one person did in a day, change by change: each begins with a paragraph that lists no file."""
    parts: list[str] = []
    for part in re.split(r"\n\s*\n", "\n".join(lines).strip()):
        if parts and not part.startswith("*") and "*" in {text[:1] for text in "\n".join(parts).splitlines()}:
            yield "\n".join(parts)
            parts = []
        parts.append(part)
    if parts:
        yield "\n".join(parts)


def touched(text: str) -> Iterator[str]:
    for item in _ITEM.finditer(re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", " ", text)):
        for name in re.split(r"[,\s]+", item[1]):
            if re.fullmatch(r"[\w.+-]+(/[\w.+-]+)*", name) and re.search(r"[/.]", name):
                yield name


def said(text: str) -> str:
    """Return *text* without the lists of files."""
    words = _LIST.sub(" ", re.sub(r"\([^()]*\)", " ", text))
    return " ".join(words.split())[:SAID]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

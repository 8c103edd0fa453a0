"""Whether what a note mentions is unchanged: a file, a name defined in it, a snippet of it."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from autology.text.markdown.blocks import fences
from autology.text.source_code import braced
from autology.text.source_code.edits import defined, form_of, indent, stripped, tokens

KEPT = 0.75
"""The share of unchanged lines from which a file counts as changed rather than rewritten.

bench/drift --share, six projects' releases: of 15 files that lost half of their definitions 12 are below it, of 286
that lost a fifth at most 253 are not; at 0.7 10 and 267, at 0.8 13 and 239. Rewrites are too rare for a finer
distinction.
"""
PARSED: tuple[str, ...] = (".py", ".pyi")
"""Extensions of files that are compared by their syntax; others by their words, without comments and formatting."""
REMEMBERED = 16
"""Parsed texts in the cache: a note checks each name that it mentions, in the same few files."""
LEAST_SNIPPET = 8
"""Tokens from which a piece of code is distinctive."""
_CODE = re.compile(r"`([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)(?:\(\))?`")


def names_in(content: str) -> list[str]:
    """Return the names of code that a note's text mentions, by their last part."""
    return list(dict.fromkeys(re.split(r"\.|::", match[1])[-1] for match in _CODE.finditer(content)))


def snippets_in(content: str) -> list[str]:
    """Return the code snippets in a note's text that are long enough to be distinctive."""
    return [fence.code for fence in fences(content) if len(tokens(fence.code.splitlines())) >= LEAST_SNIPPET]


def says_the_same(before: str, now: str, path: str) -> bool:
    """Whether two versions of the file *path* differ at most in formatting, comments and the order of definitions."""
    if path.endswith(PARSED) and (trees := _trees(before)) is not None and (others := _trees(now)) is not None:
        return Counter(tree for _, tree in trees) == Counter(tree for _, tree in others)
    form = form_of(path)
    was, has = stripped(before, form), stripped(now, form)
    if tokens(was.splitlines()) == tokens(has.splitlines()):
        return True
    return Counter(_blocks(was)) == Counter(_blocks(has))


def share_kept(before: str, now: str, path: str) -> float:
    """Return the share of the lines of *before* that are in *now*, 0-1, ignoring comments and formatting."""
    form = form_of(path)
    was = Counter(filter(None, (" ".join(line.split()) for line in stripped(before, form).splitlines())))
    has = Counter(filter(None, (" ".join(line.split()) for line in stripped(now, form).splitlines())))
    return (was & has).total() / was.total() if was else 1.0


def definition(text: str, name: str, path: str) -> tuple[str, ...]:
    """Return the definitions of *name* in *text*, the file *path*, ignoring formatting; empty without any."""
    if path.endswith(PARSED) and (trees := _trees(text)) is not None:
        return tuple(tree for own, tree in trees if own == name)
    form = form_of(path)
    lines = _bare(text, form)
    in_braces = form == "slash"
    starts = [at for at, line in enumerate(lines) if name in line and _defines(lines, at, name, in_braces)]
    # A function's variable of the same name as something outside is not meant.
    outermost = min((indent(lines[at]) for at in starts), default=0)
    parts = [at for at in starts if indent(lines[at]) == outermost]
    blocks = ((braced.block(lines, at) if in_braces else None) or _block(lines, at) for at in parts)
    return tuple(token for block in blocks for token in tokens(block))


def _defines(lines: list[str], at: int, name: str, in_braces: bool) -> bool:
    return braced.defines(lines, at, name) if in_braces else defined(lines[at]) == name


def contains(text: str, snippet: str, path: str) -> bool:
    """Whether *snippet* occurs in *text*, the file *path*, ignoring formatting."""
    form = form_of(path)
    part = " ".join(tokens(stripped(snippet, form).splitlines()))
    return f" {part} " in f" {' '.join(tokens(stripped(text, form).splitlines()))} "


@lru_cache(REMEMBERED)
def _trees(text: str) -> list[tuple[str, str]] | None:
    """Return the syntax trees of the definitions in a Python text, top level and in classes, by name, if it has any."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other people's code
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    definitions = []
    for statement in [
        *module.body,
        *(inner for outer in module.body if isinstance(outer, ast.ClassDef) for inner in outer.body),
    ]:
        for part in ast.walk(statement):
            body = getattr(part, "body", None)
            first = body[0] if isinstance(body, list) and body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                part.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined,index]
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            definitions.append((_name(statement), ast.dump(statement)))
    return definitions


@lru_cache(REMEMBERED)
def _bare(text: str, form: str) -> list[str]:
    return stripped(text, form).splitlines()


def _name(tree: ast.AST) -> str:
    if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name):
        return tree.targets[0].id
    if isinstance(tree, ast.AnnAssign) and isinstance(tree.target, ast.Name):
        return tree.target.id
    return getattr(tree, "name", "")


def _block(lines: list[str], at: int) -> list[str]:
    """Return the defining line and its body, indented or up to the closing bracket."""
    depth = indent(lines[at])
    body = [lines[at]]
    for line in lines[at + 1 :]:
        bare = line.strip()
        if bare and indent(line) <= depth and not bare.startswith((")", "]", "}", "{", "->")):
            break
        body.append(line)
        if bare.startswith(("}", "]")) and indent(line) <= depth:
            break
    return body


def _blocks(text: str) -> Iterator[str]:
    """Yield the top-level blocks of a file, each with its body: moving one does not count as a change."""
    block: list[str] = []
    for line in text.splitlines():
        if line.strip() and not indent(line) and not line.strip().startswith((")", "]", "}")) and block:
            yield " ".join(tokens(block))
            block = []
        if line.strip():
            block.append(line)
    if block:
        yield " ".join(tokens(block))

"""The body of a node's file: its content, between a generated heading and a generated list of related nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from autology.model.node import Node

_OPEN = "<!-- autology:related -->"
_CLOSE = "<!-- /autology:related -->"
# Only what we generate: a list with additions by hand is the author's, and stays content.
_LIST = re.compile(
    rf"^{_OPEN}\r?\n(?:## Related\r?\n)?(?:- \[\[[^\r\n]*\]\]\r?\n)*{_CLOSE}[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)
_LABELLED = re.compile(r"^- \[\[([^\]|\r\n]+)\|([^\]\r\n]*)\]\]", re.MULTILINE)
_BLANK_END = re.compile(r"[ \t]*(?:(?:\r?\n){1,2}|\Z)")
_LABEL = str.maketrans({"[": "(", "]": ")", "|": "/", "\r": " ", "\n": " "})


@dataclass(frozen=True, slots=True)
class NodeBody:
    """A body as it stands: its *text*, the generated *head* in it, and where the list of related nodes is, if any."""

    text: str
    head: str  # with the blank lines around it; "" if there is none, or it was edited
    content: str
    span: tuple[int, int] | None

    @classmethod
    def of(cls, text: str, title: str) -> NodeBody:
        """Return the parts of *text*, the body of the node *title*."""
        newline = "\r\n" if text.startswith("\r\n") else "\n"
        head = _head_of(text, title)
        lists = list(_LIST.finditer(text, len(head))) if _OPEN in text else []
        if not lists:
            return cls(text, head, text[len(head) :].removesuffix(newline), None)
        start, stop = lists[-1].span()
        # Without the newlines that writing added, of the file's own kind.
        before = text[len(head) : start].removesuffix(newline).removesuffix(newline)
        after = text[stop:].removesuffix(newline)
        # Text that was added below the list is content too.
        content = before + newline * 2 + after.lstrip("\r\n") if after.strip() else before
        return cls(text, head, content, (start, stop))

    @property
    def related(self) -> str:
        """The list of related nodes as it stands; "" without one."""
        return self.text[slice(*self.span)] if self.span else ""

    def with_generated(self, head: str, related: str, newline: str) -> str:
        """Return the body with another *head*, unless that or its own is "", and the list *related*; "" removes it."""
        text = self.text
        if self.span is None:
            text += f"{'' if text.endswith(chr(10)) else newline}{newline}{related}" if related else ""
        else:
            before, after = text[: self.span[0]], text[self.span[1] :]
            if not related and before.endswith(newline * 2):
                before = before.removesuffix(newline)
            text = before + related + after
        return head + text[len(self.head) :] if self.head and head else text


def written(node: Node, titles: Mapping[str, str], newline: str = "\n") -> str:
    """Return a new body for *node*; *titles* are those of related nodes."""
    related = related_list(node, titles, newline)
    return f"{_head(node.title, newline)}{node.content}{newline}{newline if related else ''}{related}"


def edited(text: str, before: Node, after: Node, titles: Mapping[str, str], newline: str) -> str:
    """Return *text*, the body of *before*, updated to *after*; unchanged parts stay byte for byte."""
    if before.content == after.content:
        body = NodeBody.of(text, before.title)
        related = body.related
        if before.relations != after.relations:
            related = related_list(replace(after, content=body.content), titles, newline)
        head = _head(after.title, newline) if before.title != after.title else ""
        changed = body.with_generated(head, related, newline)
        # If the edit would change what is parsed as content in this layout, the body is rewritten.
        if NodeBody.of(changed, after.title).content == after.content:
            return changed
    return written(after, titles, newline)


def related_list(node: Node, titles: Mapping[str, str], newline: str) -> str:
    """Return the list of related nodes as we write it; "" if there is none to write."""
    if not node.relations:
        # Content that ends in such a list would lose it when parsed, if ours did not follow.
        return newline.join((_OPEN, _CLOSE, "")) if _LIST.search(node.content) else ""
    targets = dict.fromkeys(relation.target for relation in node.relations)
    links = [f"- {wiki_link(target, titles.get(target))}" for target in targets]
    return newline.join((_OPEN, "## Related", *links, _CLOSE, ""))


def labels(related: str) -> dict[str, str]:
    """Return the titles in a list of related nodes, by id."""
    return dict(_LABELLED.findall(related))


def wiki_link(target: str, title: str | None) -> str:
    """Return a link to the node *target* in Obsidian's syntax, with its *title* if known."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", target)
    return f"[[{plain}|{title.translate(_LABEL)}]]" if title else f"[[{plain}]]"


def _head(title: str, newline: str) -> str:
    return f"{newline}# {title}{newline}{newline}"


def _head_of(text: str, title: str) -> str:
    at = 2 if text.startswith("\r\n") else 1 if text.startswith("\n") else 0
    if not text.startswith(f"# {title}", at):
        return ""
    end = _BLANK_END.match(text, at + 2 + len(title))
    return text[: end.end()] if end else ""

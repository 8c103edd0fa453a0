"""The freeze: an accepted decision stays as accepted, or a change is detected.

A decision is frozen once it is accepted and complete, or was accepted when imported. Its file then holds a seal (a
hash) of its title, Context, Decision and Alternatives, and one of each, to name which differs. Our tools refuse changes
to these; changes by hand, by a merge or in the imported record no longer match the seal, and are reported. A decision
stays sealed until a review with a reason reopens it.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from autology.model.errors import UnreadableNodeError, ValidationError
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import DecisionStatus, Node, NodeType
from autology.text.notes.node_file import read_node

SEAL = "frozen"
"""The seal's key in a node's file."""
PARTS_SEALED = "frozen_parts"
"""The key of the parts' seals, in the order of :func:`_frozen_texts`; older versions read the seal alone."""
STATUS = "decision status"
"""How a changed decision status is listed among the differences."""
_KEYS = (PARTS_SEALED, SEAL)
_LENGTH = 16
_PART_LENGTH = 8
_OPEN = (None, DecisionStatus.PROPOSED, DecisionStatus.REJECTED)
"""Statuses of a decision that was not accepted, or is no longer: its text is editable."""


def seal(node: Node) -> str:
    """Return a hash of a frozen text, independent of line wrapping."""
    return _digest("\x1f".join(_frozen_texts(node).values()), _LENGTH)


def seal_of(node: Node) -> str:
    """Return the seal of *node*, "" if it has none."""
    value = node.extra.get(SEAL)
    return str(value) if value else ""


def is_frozen(node: Node) -> bool:
    """Whether the text of *node* may no longer be changed."""
    return node.type is NodeType.DECISION and not node.record and (bool(seal_of(node)) or _is_settled(node))


def is_broken(node: Node) -> bool:
    """Whether the text of *node* differs from the accepted one."""
    return bool(seal_of(node)) and (node.type is not NodeType.DECISION or seal_of(node) != seal(node))


def changed(node: Node) -> tuple[str, ...]:
    """Return what of a sealed decision differs from the accepted one: names of parts, its type, its status."""
    if not seal_of(node):
        return ()
    if node.type is not NodeType.DECISION:
        return ("type",)
    status = (STATUS,) if node.decision_status in _OPEN else ()
    return (*_changed_texts(node), *status) if is_broken(node) else status


def is_broken_text(data: bytes) -> bool:
    """Whether *data* is the file of a decision that differs from the accepted one."""
    mark = f"\n{SEAL}: ".encode()
    if mark not in data:
        return False
    try:
        return is_broken(read_node(data.decode("utf-8"), NodeType.DECISION))
    except (UnicodeDecodeError, UnreadableNodeError):
        return False


def is_unsealed(node: Node) -> bool:
    """Whether *node* is frozen but has no seal."""
    return is_frozen(node) and not seal_of(node)


def sealed(node: Node) -> Node:
    """Return *node* with a seal, if it is frozen and has none yet."""
    return resealed(node) if is_unsealed(node) else node


def resealed(node: Node) -> Node:
    """Return *node* sealed in its current state; without a seal if it is open again."""
    bare = {key: value for key, value in node.extra.items() if key not in _KEYS}
    if node.decision_status in _OPEN:
        return replace(node, extra=bare)
    return replace(node, extra={**bare, **_seals(node)})


def carried(before: Node, after: Node) -> Node:
    """Return *after* with the seal of what was accepted *before*, so that a change is detected."""
    if not is_frozen(before):
        return sealed(after)
    if not is_broken(before):
        return replace(after, extra={**after.extra, **_seals(before)})
    return replace(after, extra={**after.extra, **{key: before.extra[key] for key in _KEYS if key in before.extra}})


def checked(before: Node, after: Node) -> Node:
    """Return *after*, sealed, if nothing frozen of *before* changed, or if it is as accepted again.

    Raises:
        ValidationError: something did; the message says how to make such a change.
    """
    carried_over = carried(before, after)
    if not is_frozen(before):
        return carried_over
    field = "type" if after.type is not before.type else _differs(before, after)
    if field and (after.type is not before.type or is_broken(carried_over)):
        what = "type" if field == "type" else "title" if field == "title" else f"{field} section"
        problem = f"the {what} of an accepted decision is frozen"
        step = Sentence(
            "Capture what replaces it: ",
            do(Action.CAPTURE, supersedes=[before.id[:8]]),
            "; or change it with a recorded reason: ",
            do(Action.REVIEW, id=before.id[:8], amend=True),
            ". Its Consequences and tags may change.",
        )
        raise ValidationError(field if field in ("type", "title") else "content", problem, step)
    if after.decision_status in _OPEN and before.decision_status not in _OPEN:
        reopen = do(Action.REVIEW, id=before.id[:8], status="proposed", reason=PLACEHOLDER)
        only = Sentence("Only a review does that: ", reopen, ".")
        raise ValidationError("decision_status", "an update cannot reopen an accepted decision", only)
    return carried_over


def rewritten(before: Node, after: Node) -> str:
    """Return what *after* rewrites of the decision in *before*, an accepted record of the project; "" if nothing.

    Such records are not sealed, as the project changes them in its own way; our tools ask for a reason.
    """
    if before.decision_status in _OPEN:
        return ""
    if field := _differs(before, after):
        return field if field == "title" else f"{field} section"
    return "text" if before.content != after.content and not _frozen_texts(before)["Decision"] else ""


def refuse_rewriting(before: Node, after: Node) -> None:
    """Raise ValidationError if *after* rewrites the decision in *before*, an accepted record of the project."""
    if what := rewritten(before, after):
        newer, reason = do(Action.CAPTURE, supersedes=[before.id[:8]]), do(Action.REVIEW, id=before.id[:8], amend=True)
        step = Sentence("Capture what replaces it: ", newer, "; or ", reason, ": its reason is kept beside the record.")
        problem = f"the {what} of an accepted record changes only with a reason"
        raise ValidationError("title" if what == "title" else "content", problem, step)


def _is_settled(node: Node) -> bool:
    if node.decision_status is not DecisionStatus.ACCEPTED:
        return False
    from autology.text.adr.sections import missing_sections

    return node.source.startswith("import_") or not missing_sections(node.content)


def _seals(node: Node) -> dict[str, str]:
    hashes = (_digest(text, _PART_LENGTH) for text in _frozen_texts(node).values())
    return {PARTS_SEALED: " ".join(hashes), SEAL: seal(node)}


def _changed_texts(node: Node) -> tuple[str, ...]:
    texts = _frozen_texts(node)
    sealed_parts = str(node.extra.get(PARTS_SEALED) or "").split()
    if len(sealed_parts) == len(texts):
        differing = [name for seal, (name, text) in zip(sealed_parts, texts.items(), strict=True)
                     if seal != _digest(text, _PART_LENGTH)]  # fmt: skip
        if differing:
            return tuple(differing)
    return (f"{', '.join(list(texts)[:-1])} or {list(texts)[-1]}",)  # sealed before parts had seals of their own


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


def _differs(before: Node, after: Node) -> str:
    was, now = _frozen_texts(before), _frozen_texts(after)
    return next((name for name in was if was[name] != now[name]), "")


def _frozen_texts(node: Node) -> dict[str, str]:
    """Return the frozen texts by name, with whitespace collapsed: re-wrapping a line changes nothing."""
    # Patterns that take 3 ms: a search reads nodes without them.
    from autology.text.adr.sections import ALTERNATIVES, CONTEXT, DECISION, parts

    apart = parts(node.content)
    texts = {"title": node.title, **{name: apart[name] for name in (CONTEXT, DECISION, ALTERNATIVES)}}
    return {name: " ".join(text.split()) for name, text in texts.items()}

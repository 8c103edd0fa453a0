"""The errors of the project: each states a problem and the next step, which each front words for its readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from autology.model.next_step import Action, Noun, Sentence, do


class AutologyError(Exception):
    """A failure that a person or a model can act on: a *problem*, and a *step* to take.

    *message* has both; as a string the error begins with its category, if it has one, and is worded neutrally.
    """

    category: ClassVar[str] = ""

    def __init__(self, problem: str, step: str = "") -> None:
        self.step = step
        self.message = Sentence(problem, ". ", step) if step else Sentence(problem)
        super().__init__(self.category + self.message)


class ValidationError(AutologyError):
    """An invalid value: the *field*, what its *problem* is, and in *step* what would be valid."""

    category = "validation error: "

    def __init__(self, field: str, problem: str, step: str = "") -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"{field}: {problem}{'' if step else '.'}", step)


class NotFoundError(AutologyError):
    """No node has this *id*; ends with *step* if given, else suggests the *near* ones as (title, type, id)."""

    def __init__(self, id: str, near: Sequence[tuple[str, str, str]] = (), role: str = "", step: str = "") -> None:
        self.id = id
        self.near = tuple(near)
        self.role = role
        problem = Sentence(f"{role} " if role else "", Noun.NODE, f" not found: {_shortened(id)}")
        search = Sentence("Search with ", do(Action.QUERY), " to find the id.")
        super().__init__(problem, step or _offer(self.near) or search)


class AmbiguousIdError(ValidationError):
    """An id prefix shared by more than one node."""

    def __init__(self, id: str, candidates: Sequence[tuple[str, str, str]], field: str = "id") -> None:
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{title} ({type}, {node_id})" for title, type, node_id in candidates)
        super().__init__(field, f"'{id}' matches {len(candidates)} nodes", f"Use a full id: {listed}.")


class StorageError(AutologyError):
    """Reading or writing *path* failed, for *reason*."""

    category = "storage error: "

    def __init__(self, path: str, reason: str, step: str = "Nothing was changed; fix the cause and try again.") -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}", step)


class IndexBusyError(StorageError):
    """Another process is writing the index at *path*: it can be read, but not updated."""

    def __init__(self, path: str, reason: str = "the project is being indexed by another session or command") -> None:
        step = "Nothing was changed; try again in a moment. Until indexing finishes, results are incomplete."
        super().__init__(path, reason, step)


class IndexBehindError(IndexBusyError):
    """Changed files are *left* to be indexed, 0 if their number is unknown: the index can be read meanwhile."""

    def __init__(self, path: str, left: int) -> None:
        which = f"{left:,} changed files are" if left > 1 else "a changed file is" if left else "changed files are"
        super().__init__(path, f"{which} not indexed yet")


class BusyError(StorageError):
    """Another process holds the lock on *path*."""


class ConflictError(StorageError):
    """The file differs from what the caller read."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "the file changed since it was read", "Nothing was written; read it again and retry.")


class UnreadableNodeError(AutologyError):
    """A node file that cannot be parsed: left unchanged and reported by name."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class DocumentNotFoundError(AutologyError):
    """No document or node is called *name*; ends with *step* if given, else suggests the *near* ids."""

    def __init__(self, name: str, near: Sequence[str] = (), step: str = "") -> None:
        self.name = name
        self.near = tuple(near)
        problem = Sentence(Noun.NODE_AT_START, f" not found: {_shortened(name)}")
        offer = f"Did you mean: {', '.join(self.near)}?" if self.near else ""
        super().__init__(
            problem, step or offer or Sentence("Search with ", do(Action.SEARCH_DOCUMENTS), " to find it.")
        )


class DocumentMissingError(AutologyError):
    """No file exists at *path*."""

    def __init__(self, path: str, step: str = "Give the path of a document, relative to the project's root.") -> None:
        self.path = path
        super().__init__(f"File not found: {_shortened(path, 200)}", step)


class AmbiguousNameError(AutologyError):
    """A name shared by several documents, or whatever *noun* says; *candidates* are (id, distinguishing detail)."""

    def __init__(self, name: str, candidates: Sequence[tuple[str, str]], noun: str = "documents") -> None:
        self.name = name
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{id} ({mark})" for id, mark in candidates)
        super().__init__(f"'{name[:80]}' matches {len(candidates)} {noun}", f"Use one of these ids: {listed}.")


class PassageNotFoundError(AutologyError):
    """No passage of a conversation has this id."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(
            f"passage not found: {id[:40]}", Sentence("Search with ", do(Action.RECALL), " to find the id.")
        )


class MemoryNotFoundError(AutologyError):
    """No memory has this *id*; suggests the *near* ones as (title, kind, id), else ends with *step*."""

    def __init__(self, id: str, near: Sequence[tuple[str, str, str]] = (), step: str = "") -> None:
        self.id = id
        self.near = tuple(near)
        search = Sentence("Search with ", do(Action.FIND_MEMORIES), " to find the id.")
        super().__init__(f"memory not found: {_shortened(id)}", _offer(self.near) or step or search)


class RateLimitError(AutologyError):
    """More than *limit* calls of *operation* per minute; the next one is accepted after *seconds*."""

    def __init__(self, operation: str, limit: int, seconds: int) -> None:
        self.operation = operation
        self.limit = limit
        self.seconds = seconds
        wait = f"Wait {seconds} second{'s' * (seconds != 1)}, then retry; one call takes up to 100 items."
        super().__init__(f"RATE_LIMIT_EXCEEDED: limit of {limit} calls of {operation} per minute reached", wait)


_CHECK_HUB = Sentence("Local work continues; ", do(Action.CHECK_HUB), " checks the hub.")


class HubError(AutologyError):
    """The team's hub at *place*, a name without password, failed for a *reason*; the message ends in the *step*."""

    def __init__(self, place: str, reason: str, step: str = _CHECK_HUB) -> None:
        self.place = place
        self.reason = reason
        super().__init__(f"hub {place}: {reason}", step)


class HubAwayError(HubError):
    """The hub is unreachable or did not answer in time: the last call may or may not have taken effect."""


class HubLateError(HubAwayError):
    """The hub did not answer within *seconds*."""

    def __init__(self, place: str, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(place, f"did not answer within {seconds:g} seconds")


class HubMovedError(HubError):
    """The space has moved to another server, *to*."""

    def __init__(self, place: str, to: str) -> None:
        self.to = to
        super().__init__(place, f"this space has moved to {to}", f"Add {to} to your hub_dsn_file.")


class HubRefusedError(HubError):
    """The hub denied access: the login is unknown, or may not do that."""


class SearchError(AutologyError):
    """No part of the search worked, for *reason*."""

    def __init__(self, reason: str, step: str) -> None:
        super().__init__(f"Search Error: {reason}", step)


class EncodingError(AutologyError):
    """The encoder *name* cannot be used, for *reason*; search continues with the built-in one."""

    def __init__(self, name: str, reason: str, step: str = "") -> None:
        self.name = name
        self.reason = reason
        without = do(Action.USE_MODEL, model="static")
        repair = Sentence("Run ", do(Action.INSTALL_MODEL), " to repair it, or ", without, " to do without.")
        super().__init__(f"the model {name} {reason}", step or repair)


class ParsingError(AutologyError):
    """Files in languages other than Python cannot be parsed, for *reason*."""

    def __init__(self, reason: str, step: str = "") -> None:
        self.reason = reason
        install = Sentence("Run ", do(Action.INSTALL_PARSERS), ".")
        super().__init__(f"the parsers for other languages {reason}", step or install)


class InputError(AutologyError):
    """A call whose input is unusable as a whole."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"Invalid MCP input format: {problem}")


def _shortened(name: str, limit: int = 80) -> str:
    return name if len(name) <= limit else name[: limit - 3] + "..."


def _offer(near: Sequence[tuple[str, str, str]]) -> str:
    """Return a question that offers the entries *near*, as (title, type, id); "" if there are none."""
    offers = "; ".join(f"{title} ({type}, {id[:8]})" for title, type, id in near)
    return f"Did you mean: {offers}?" if offers else ""


def quoted(text: str) -> str:
    """Return the beginning of a rejected *text* as a message quotes it."""
    plain = "".join(character if character.isprintable() else "?" for character in text[:60])
    return plain + ("..." if len(text) > 60 else "")

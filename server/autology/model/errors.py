"""Errors as values; each message ends with the next step."""

from __future__ import annotations

from collections.abc import Sequence


class AutologyError(Exception):
    """A failure that a person or a model can act on."""


class ValidationError(AutologyError):
    """An invalid value; names the *field* and what would be valid."""

    def __init__(self, field: str, problem: str, fits: str = "") -> None:
        self.field = field
        self.problem = problem
        self.fits = fits
        ending = f" {fits}" if fits else ""
        super().__init__(f"validation error: {field}: {problem}.{ending}")


class NotFoundError(AutologyError):
    """No node has this *id*; ends with *step* if given, else suggests the *near* ones as (title, type, id)."""

    def __init__(self, id: str, near: Sequence[tuple[str, str, str]] = (), role: str = "", step: str = "") -> None:
        self.id = id
        self.near = tuple(near)
        self.role = role
        who = f"{role} node" if role else "node"
        shown = id if len(id) <= 80 else id[:77] + "..."
        if step:
            pass
        elif self.near:
            offers = "; ".join(f"{title} ({type}, {node_id[:8]})" for title, type, node_id in self.near)
            step = f"Did you mean: {offers}?"
        else:
            step = "Search with autology_query to find the id."
        super().__init__(f"{who} not found: {shown}. {step}")


class AmbiguousIdError(ValidationError):
    """An id prefix shared by more than one node."""

    def __init__(self, id: str, candidates: Sequence[tuple[str, str, str]], field: str = "id") -> None:
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{title} ({type}, {node_id})" for title, type, node_id in candidates)
        super().__init__(field, f"'{id}' matches {len(candidates)} nodes", f"Use a full id: {listed}.")


class StorageError(AutologyError):
    """Reading or writing *path* failed, for *reason*."""

    def __init__(self, path: str, reason: str, step: str = "Nothing was changed; fix the cause and try again.") -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"storage error: {path}: {reason}. {step}")


class IndexBusyError(StorageError):
    """Another process is writing the index at *path*: it can be read, but not updated."""

    def __init__(self, path: str) -> None:
        step = "Nothing was changed; try again in a moment. Until indexing finishes, results are incomplete."
        super().__init__(path, "the project is being indexed by another session or command", step)


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
        shown = name if len(name) <= 80 else name[:77] + "..."
        offered = f"Did you mean: {', '.join(self.near)}?" if self.near else ""
        step = step or offered or "Search with search_documents to find it."
        super().__init__(f"Node not found: {shown}. {step}")


class DocumentMissingError(AutologyError):
    """No file exists at *path*."""

    def __init__(self, path: str, step: str = "Give the path of a document, relative to the project's root.") -> None:
        self.path = path
        shown = path if len(path) <= 200 else path[:197] + "..."
        super().__init__(f"File not found: {shown}. {step}")


class AmbiguousNameError(AutologyError):
    """A name shared by more than one of *what*; *candidates* are (id, distinguishing detail)."""

    def __init__(self, name: str, candidates: Sequence[tuple[str, str]], what: str = "documents") -> None:
        self.name = name
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{id} ({mark})" for id, mark in candidates)
        super().__init__(f"'{name[:80]}' matches {len(candidates)} {what}. Use one of these ids: {listed}.")


class PassageNotFoundError(AutologyError):
    """No passage of a conversation has this id."""

    def __init__(self, id: str) -> None:
        self.id = id
        step = "To find the id, search with recall_previous_discussions, or `autology recall` in a terminal."
        super().__init__(f"passage not found: {id[:40]}. {step}")


class MemoryNotFoundError(AutologyError):
    """No memory has this *id*; suggests the *near* ones as (title, kind, id), else ends with *step*."""

    def __init__(self, id: str, near: Sequence[tuple[str, str, str]] = (), step: str = "") -> None:
        self.id = id
        self.near = tuple(near)
        shown = id if len(id) <= 80 else id[:77] + "..."
        offers = "; ".join(f"{title} ({kind}, {near_id})" for title, kind, near_id in self.near)
        step = f"Did you mean: {offers}?" if offers else step or "Search with memory_find to find the id."
        super().__init__(f"memory not found: {shown}. {step}")


class RateLimitError(AutologyError):
    """Too many calls of *what* per minute; the next one is accepted after *seconds*."""

    def __init__(self, what: str, most: int, seconds: int) -> None:
        self.what = what
        self.most = most
        self.seconds = seconds
        problem = f"limit of {most} calls of {what} per minute reached. Wait {seconds} second{'s' * (seconds != 1)}"
        super().__init__(f"RATE_LIMIT_EXCEEDED: {problem}, then retry; one call takes up to 100 items.")


class HubError(AutologyError):
    """The team's hub at *place*, a name without password, failed for a *reason*; the message ends in the *step*."""

    def __init__(
        self, place: str, reason: str, step: str = "Local work continues; `autology hub doctor` checks the hub."
    ) -> None:
        self.place = place
        self.reason = reason
        super().__init__(f"hub {place}: {reason}. {step}")


class HubAwayError(HubError):
    """The hub cannot be reached, or did not answer in time: the last call may or may not have taken effect."""


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
    """No part of the search worked."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Search Error: {reason}")


class EncodingError(AutologyError):
    """The encoder *name* cannot be used, for *reason*; search continues with the built-in one."""

    def __init__(self, name: str, reason: str, step: str = "") -> None:
        self.name = name
        self.reason = reason
        step = step or "Run `autology models install` to repair it, or `autology models use static` to do without."
        super().__init__(f"the model {name} {reason}. {step}")


class ParsingError(AutologyError):
    """Files in languages other than Python cannot be parsed, for *reason*."""

    def __init__(self, reason: str, step: str = "") -> None:
        self.reason = reason
        super().__init__(f"the parsers for other languages {reason}. {step or 'Run `autology languages install`.'}")


class InputError(AutologyError):
    """A call whose input is unusable as a whole."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"Invalid MCP input format: {problem}")

"""What can go wrong, as values whose messages end in the next step."""

from __future__ import annotations

from collections.abc import Sequence


class AutologyError(Exception):
    """Any failure that a person or a model can act on."""


class ValidationError(AutologyError):
    """A value that does not fit; names the *field* and what would fit."""

    def __init__(self, field: str, problem: str, fits: str = "") -> None:
        self.field = field
        self.problem = problem
        self.fits = fits
        ending = f" {fits}" if fits else ""
        super().__init__(f"validation error: {field}: {problem}.{ending}")


class NotFoundError(AutologyError):
    """No node answers to *id*; ends in the *step* to take, else offers *near* ones as (title, type, id)."""

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
            step = "autology_query finds a node's id by its words."
        super().__init__(f"{who} not found: {shown}. {step}")


class AmbiguousIdError(ValidationError):
    """An id prefix that more than one node begins with."""

    def __init__(self, id: str, candidates: Sequence[tuple[str, str, str]], field: str = "id") -> None:
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{title} ({type}, {node_id})" for title, type, node_id in candidates)
        super().__init__(field, f"'{id}' begins the id of {len(candidates)} nodes", f"Give one in full: {listed}.")


class StorageError(AutologyError):
    """The disk refused; names the *path* and the *reason*."""

    def __init__(self, path: str, reason: str, step: str = "Nothing was changed; try again once it is fixed.") -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"storage error: {path}: {reason}. {step}")


class IndexBusyError(StorageError):
    """Somebody else is filling the index at *path*: what it holds can be read, and nothing else be taken in."""

    def __init__(self, path: str) -> None:
        step = "Nothing was changed; ask again in a moment: before that is done not everything is known."
        super().__init__(path, "the project is being indexed by another session or command", step)


class BusyError(StorageError):
    """Another process holds what is at *path* and goes on with it."""


class ConflictError(StorageError):
    """The file is no longer what the caller had read."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "the file changed since it was read", "Nothing was written; read it again and repeat.")


class UnreadableNodeError(AutologyError):
    """A node's file that cannot be understood: left as it is, reported by name."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class DocumentNotFoundError(AutologyError):
    """No document or node answers to *asked*; ends in the *step* to take, else offers *near* ids."""

    def __init__(self, asked: str, near: Sequence[str] = (), step: str = "") -> None:
        self.asked = asked
        self.near = tuple(near)
        shown = asked if len(asked) <= 80 else asked[:77] + "..."
        offered = f"Did you mean: {', '.join(self.near)}?" if self.near else ""
        step = step or offered or "search_documents finds what there is by its words."
        super().__init__(f"Node not found: {shown}. {step}")


class DocumentMissingError(AutologyError):
    """There is no file at *path*."""

    def __init__(self, path: str, step: str = "Give the path of a document, from the project's root.") -> None:
        self.path = path
        shown = path if len(path) <= 200 else path[:197] + "..."
        super().__init__(f"File not found: {shown}. {step}")


class AmbiguousNameError(AutologyError):
    """A name that more than one of *what* answers to: *candidates* are (id, what tells it from the others)."""

    def __init__(self, asked: str, candidates: Sequence[tuple[str, str]], what: str = "documents") -> None:
        self.asked = asked
        self.candidates = tuple(candidates)
        listed = "; ".join(f"{id} ({mark})" for id, mark in candidates)
        super().__init__(f"'{asked[:80]}' names {len(candidates)} {what}. Give one id: {listed}.")


class PassageNotFoundError(AutologyError):
    """No passage of a conversation has that id."""

    def __init__(self, id: str) -> None:
        self.id = id
        step = "A search gives the ids: recall_previous_discussions, or `autology recall` in a terminal."
        super().__init__(f"passage not found: {id[:40]}. {step}")


class MemoryNotFoundError(AutologyError):
    """No memory answers to *id*; offers *near* ones as (title, kind, id), else ends in the *step* to take."""

    def __init__(self, id: str, near: Sequence[tuple[str, str, str]] = (), step: str = "") -> None:
        self.id = id
        self.near = tuple(near)
        shown = id if len(id) <= 80 else id[:77] + "..."
        offers = "; ".join(f"{title} ({kind}, {near_id})" for title, kind, near_id in self.near)
        step = f"Did you mean: {offers}?" if offers else step or "memory_find finds a memory's id by its words."
        super().__init__(f"memory not found: {shown}. {step}")


class RateLimitError(AutologyError):
    """Too many calls of *what* within a minute; the next one is let through after *seconds*."""

    def __init__(self, what: str, most: int, seconds: int) -> None:
        self.what = what
        self.most = most
        self.seconds = seconds
        said = f"{most} calls of {what} within a minute are the limit. Wait {seconds} second{'s' * (seconds != 1)}"
        super().__init__(f"RATE_LIMIT_EXCEEDED: {said}, then repeat the call; one call takes up to 100 items.")


class HubError(AutologyError):
    """The team's hub at *place*, a name without password, failed for a *reason*; the message ends in the *step*."""

    def __init__(
        self, place: str, reason: str, step: str = "Local work goes on; `autology hub doctor` looks closer."
    ) -> None:
        self.place = place
        self.reason = reason
        super().__init__(f"hub {place}: {reason}. {step}")


class HubAwayError(HubError):
    """The hub cannot be reached, or did not answer in time: the last call may or may not have taken effect."""


class HubLateError(HubAwayError):
    """The hub did not answer within so many *seconds*."""

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
    """No part of the search could answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Search Error: {reason}")


class EncodingError(AutologyError):
    """The encoder *name* cannot be used, for a *reason*; search goes on with the one that is built in."""

    def __init__(self, name: str, reason: str, step: str = "") -> None:
        self.name = name
        self.reason = reason
        step = step or "`autology models install` puts it right, `autology models use static` does without."
        super().__init__(f"the model {name} {reason}. {step}")


class ParsingError(AutologyError):
    """Files in other languages than Python cannot be read, for a *reason*."""

    def __init__(self, reason: str, step: str = "") -> None:
        self.reason = reason
        super().__init__(f"the parsers of other languages {reason}. {step or '`autology languages install` mends it.'}")


class InputError(AutologyError):
    """A call that is unusable as a whole."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"Invalid MCP input format: {problem}")

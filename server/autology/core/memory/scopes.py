"""The default scope of a memory: from the environment, the settings or version control."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from autology.model.errors import ValidationError
from autology.model.memory import SCOPE_LIMIT, Scope, check_scope_part

ORG, PROJECT, BRANCH = "CORTEX_ORG", "CORTEX_PROJECT", "CORTEX_BRANCH"
_UNFIT = re.compile(r"[^A-Za-z0-9_./@-]+")
_PATH = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_PARTS = ("org", "project", "branch")


@dataclass(frozen=True, slots=True)
class ScopeSources:
    """The settings ("" if unset), and functions that return version control's project and branch."""

    org: str
    project: str
    identity: Callable[[], str]
    branch: Callable[[], str | None]


def default(environ: Mapping[str, str], sources: ScopeSources) -> Scope:
    """Return the default scope of an item.

    Raises:
        ValidationError: the environment names a part that does not fit.
    """
    branch = _named(environ, BRANCH, "branch") or _fitted(sources.branch() or "")
    return Scope(
        org=org(environ, sources.org),
        project=_named(environ, PROJECT, "project") or sources.project or project_named(sources.identity()) or None,
        branch=branch or None,
    )


def org(environ: Mapping[str, str], setting: str = "") -> str | None:
    """Return the user's organisation, None if there is none. Raises ValidationError."""
    return _named(environ, ORG, "org") or setting or None


def scope(value: object) -> Scope | None:
    """Return a caller's scope as a value, None if empty.

    Raises:
        ValidationError: it is none, or a part of it does not fit.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValidationError("scope", "is no object", "Give {org, project, branch}, each of them or none.")
    if unknown := next((name for name in value if name not in _PARTS), None):
        raise ValidationError("scope", f"has no part '{str(unknown)[:40]}'", "Its parts are org, project and branch.")
    parts: dict[str, str] = {}
    for name, part in value.items():
        if part is None:
            continue
        if not isinstance(part, str):
            raise ValidationError(f"scope.{name}", "is no text", "Give a name, or leave it out.")
        parts[name] = check_scope_part(name, part)
    return Scope(**parts) if parts else None


def _named(environ: Mapping[str, str], variable: str, part: str) -> str:
    value = environ.get(variable, "").strip()
    if not value:
        return ""
    try:
        return check_scope_part(part, value)
    except ValidationError as error:
        raise ValidationError(f"scope.{part}", f"{variable} {error.problem}", error.step) from None


def project_named(identity: str) -> str:
    """Return *identity* as a part of a scope; without this machine's paths if the repository has no remote."""
    if not _PATH.match(identity):
        return _fitted(identity)
    parts = [part for part in re.split(r"[\\/]", identity) if part and part != ".git"]
    digest = sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{_UNFIT.sub('-', parts[-1])[: SCOPE_LIMIT - 9] if parts else 'project'}-{digest}"


def _fitted(text: str) -> str:
    """Return *text* as a part of a scope; a few digits distinguish texts that had to be changed."""
    plain = _UNFIT.sub("-", text)
    if plain == text and len(plain) <= SCOPE_LIMIT:
        return plain
    digest = sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{plain[-(SCOPE_LIMIT - 9) :]}-{digest}"

"""What may be a record: a file, or a folder with one main file; grouped by the folder that they are siblings in."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from autology.core.records.collection import LeftOut, Reason
from autology.text.adr.folders import is_surrounding
from autology.text.records.file_names import parsed
from autology.text.records.outline import TEXT, form_of

_VENDORED = frozenset(
    "node_modules bower_components vendor vendored _vendor third_party third-party thirdparty site-packages"
    " venv .venv .git"
    " .hg .svn .jj .autology .tox dist target build _build out versioned_docs".split()
)
_FIXTURES = frozenset(
    "test tests testdata test-data test_data fixture fixtures __tests__ __fixtures__ spec_fixtures integration-tests"
    " examples example samples sample testing-data mocks snapshots".split()
)
_TEMPLATES = re.compile(
    r"(?:.*[-_ ])?(?:templates?|plantillas?|modelos?|mod[eè]les?|vorlagen?|szablon|sjabloon|шаблон|模板|テンプレート"
    r"|boilerplates?|scaffold(?:s|ing)?|skeletons?|archetypes?|stubs|cookiecutters?)(?:[-_ ].*)?\Z",
    re.IGNORECASE,
)
_POSTS = frozenset("_posts posts blog blogs articles news-posts newsletter newsletters highlights".split())
_MINUTES = re.compile(
    r"(?:.*[-_ ])?(?:minutes|meetings?|biweeklymeetings|meeting-?notes|agendas?|standups?)\Z", re.IGNORECASE
)
_CHANGES = re.compile(
    r"(?:news|newsfragments?|changes|changelogs?(?:\.d)?|changesets?|\.changeset|release-?notes?|releasenotes|releases?"
    r"|upcoming_changes|whatsnew|history)\Z",
    re.IGNORECASE,
)
_SYNTHETIC = re.compile(r"(?:.*[-_ ])?synthetic\Z")
"""Folders of made-up projects on which a program is tried."""
_PLANS = frozenset(
    "backlog epics roadmap roadmaps sprints tasks tickets use-cases use_cases usecases user-stories"
    " user_stories".split()
)
_ACCOUNTS = re.compile(
    r"(?:.*[-_ ])?(?:audits?|diar(?:y|ies)|incidents?|journals?|logbooks?|post-?mortems?|progress|retro(?:spective)?s?"
    r"|(?:dev|work)-?logs?)\Z",
    re.IGNORECASE,
)
"""Folders of what was done or looked at: each text may have a date and a status, and decide nothing."""
_ISSUES = frozenset(".github .gitlab .gitea .forgejo issue_template pull_request_template".split())
_OF_RELEASE = re.compile(r"v?\d+\.\d+(?:\.\d+)*[-_ ]template\Z", re.IGNORECASE)
_UNNUMBERED = re.compile(r"(?:.*[-_ ])?(?:N{2,}|X{2,}|YYYY)(?:[-_ ].*)?\Z")
_TRANSLATED = re.compile(
    r"(?P<base>.+?)[._-](?P<language>(?:zh|pt|es|en)[-_](?:Hans|Hant|[A-Z]{2})|(?:zh|ja|ko|fr|de|es|pt|it|ru|pl|nl|tr|uk|vi))\Z"
)
_MAIN = ("readme", "index", "proposal", "design", "rfc", "adr", "kep", "main", "spec")
SIDECARS = (".yaml", ".yml", ".toml")
MOST_SIDECARS = 3
"""Sibling folders that must have a file of one name beside their text for it to be a sidecar."""


@dataclass(slots=True)
class Unit:
    """What may be a record: its main *path*, its sidecar, the *stem* that names it, and the *folder* that lists it."""

    path: str
    stem: str
    folder: str
    form: str
    sidecar: str | None = None
    is_folder: bool = False

    @property
    def id_path(self) -> str:
        """What identifies it: its path, or its own folder's."""
        return self.path.rpartition("/")[0] if self.is_folder else self.path

    @property
    def paths(self) -> tuple[str, ...]:
        """The main file, and the sidecar."""
        return (self.path, self.sidecar) if self.sidecar else (self.path,)


@dataclass(slots=True)
class Group:
    """The units that are siblings in a *folder*, and what was left out there by name."""

    folder: str
    units: list[Unit] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    guides: list[str] = field(default_factory=list)
    """READMEs, indexes and templates: they explain the collection's states."""


@lru_cache(maxsize=4096)
def excluded(folder: str) -> Reason | None:
    """Return why no records are expected in *folder* or anywhere below it; None if they may be."""
    for part in folder.split("/"):
        lowered = part.lower()
        if "{{" in part:
            return Reason.TEMPLATE  # a generator names the folder when it copies it
        if lowered in _VENDORED:
            return Reason.GENERATED
        if lowered in _FIXTURES or _SYNTHETIC.match(lowered):
            return Reason.FIXTURE
        if lowered in _ISSUES or (_TEMPLATES.match(part) and parsed(part).number is None) or _UNNUMBERED.match(part):
            return Reason.TEMPLATE
        if lowered in _POSTS or lowered.startswith("blog-"):
            return Reason.POSTS
        if _MINUTES.match(part):
            return Reason.MINUTES
        if _CHANGES.match(part):
            return Reason.CHANGELOG
        if lowered in _PLANS:
            return Reason.PLAN
    return Reason.ACCOUNT if _ACCOUNTS.match(folder.rpartition("/")[2]) else None


def is_template(path: str) -> bool:
    """Whether the text at *path* lies in a folder for templates, or is one by its name."""
    folder, _, name = path.rpartition("/")
    return "template" in name.lower() or excluded(folder) is Reason.TEMPLATE


def groups(paths: Iterable[str]) -> tuple[dict[str, Group], list[LeftOut]]:
    """Return the units among *paths*, grouped by folder, and the folders left out by their names."""
    texts: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder = path.rpartition("/")[0]
        if form_of(path):
            texts[folder].append(path)
        elif path.lower().endswith(SIDECARS):
            others[folder].append(path)
    skipped: Counter[tuple[str, Reason]] = Counter()
    located: dict[str, Group] = {}
    own_sidecars = _folder_sidecars(texts, others)
    for folder in sorted(texts):
        if reason := excluded(folder):
            skipped[folder, reason] += len(texts[folder])
            continue
        _add_files(located.setdefault(folder, Group(folder)), sorted(texts[folder]), others.get(folder, ()))
        if folder and (main := _main(folder, texts[folder], own_sidecars)):
            parent, _, stem = folder.rpartition("/")
            unit = Unit(main, stem, parent, form_of(main) or TEXT, own_sidecars.get(folder), is_folder=True)
            located.setdefault(parent, Group(parent)).units.append(unit)
    for group in located.values():
        _drop_attachments(group)
    left = [LeftOut(folder, reason, count) for (folder, reason), count in sorted(skipped.items())]
    return located, left


def _drop_attachments(group: Group) -> None:
    """Leave out the folders that are named as a file beside them: they hold its attachments."""
    if not any(unit.is_folder for unit in group.units):
        return  # most groups, and the largest
    files = {unit.stem for unit in group.units if not unit.is_folder}
    numbers = {(name.prefix, name.number) for name in map(parsed, files) if name.number is not None}
    retained = []
    for unit in group.units:
        name = parsed(unit.stem)
        beside = unit.stem in files or (name.number is not None and (name.prefix, name.number) in numbers)
        beside |= len(numbers) >= MOST_SIDECARS and not is_surrounding(unit.path.rpartition("/")[2].rpartition(".")[0])
        if unit.is_folder and beside:
            group.left_out.append(LeftOut(unit.path, Reason.ATTACHMENT))
        else:
            retained.append(unit)
    group.units = retained


def _add_files(group: Group, paths: Sequence[str], others: Iterable[str]) -> None:
    """Add the files of one folder, without those that by their names are something else."""
    sidecars = {path.rpartition(".")[0]: path for path in others}
    stems = {path.rpartition(".")[0] for path in paths}
    for path in paths:
        base = path.rpartition(".")[0]
        stem = base.rpartition("/")[2]
        translated = _TRANSLATED.match(stem)
        if (
            is_surrounding(stem)
            or _UNNUMBERED.match(stem)
            or (stem.lower().endswith("template") and parsed(stem).number is None)
            or _OF_RELEASE.match(stem)
            or (parsed(stem).number == 0 and _TEMPLATES.match(stem))
        ):
            is_template = bool(_TEMPLATES.match(stem) or _UNNUMBERED.match(stem))
            group.left_out.append(LeftOut(path, Reason.TEMPLATE if is_template else Reason.INDEX))
            group.guides.append(path)
        elif translated and f"{base[: len(base) - len(stem)]}{translated['base']}" in stems:
            group.left_out.append(LeftOut(path, Reason.TRANSLATION))
        else:
            group.units.append(Unit(path, stem, group.folder, form_of(path) or TEXT, sidecars.get(base)))


def _main(folder: str, paths: Sequence[str], sidecars: Mapping[str, str]) -> str | None:
    """Return the main text of *folder* if the folder may be one record; None if not."""
    name = folder.rpartition("/")[2].lower()
    stems = {path: path.rpartition("/")[2].rpartition(".")[0].lower() for path in paths}
    for wanted in (*_MAIN[:2], name, *_MAIN[2:]):
        for path in sorted(paths):
            if stems[path] == wanted:
                return path
    return paths[0] if len(paths) == 1 and (folder in sidecars or parsed(name).number is not None) else None


def _folder_sidecars(texts: Mapping[str, Sequence[str]], others: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return, by folder, the sidecar of the record that the folder is: named alike in several folders with a text."""
    counts = Counter(path.rpartition("/")[2] for folder, paths in others.items() if folder in texts for path in paths)
    sidecars: dict[str, str] = {}
    for folder, paths in others.items():
        names = sorted((-counts[path.rpartition("/")[2]], path) for path in paths)
        if folder and folder in texts and -names[0][0] >= MOST_SIDECARS:
            sidecars[folder] = names[0][1]
    return sidecars

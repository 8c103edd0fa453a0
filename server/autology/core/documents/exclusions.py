"""The rules by which texts of a project are left out of its documents, by their paths."""

from __future__ import annotations

import re
from enum import StrEnum

from autology.text.documents.instructions import is_instruction
from autology.text.slug import TEXTS


class Rule(StrEnum):
    """Why a text is left out; the value is its name in ``documents_includes``."""

    VENDORED = "vendored"
    GENERATED = "generated"
    FIXTURES = "fixtures"
    LICENCES = "licences"
    TEMPLATES = "templates"
    DATA = "data"
    REPOSITORIES = "repositories"


MEANING = {
    Rule.VENDORED: "dependencies with their changelogs (node_modules, vendor, third_party)",
    Rule.GENERATED: "generated trees (dist, _build, versioned_docs)",
    Rule.FIXTURES: "test fixtures (tests, fixtures, testdata)",
    Rule.LICENCES: "licences and notices",
    Rule.TEMPLATES: "templates",
    Rule.DATA: ".txt files without prose",
    Rule.REPOSITORIES: "submodules and other nested repositories",
}
NEVER = frozenset(
    ".git .hg .svn .jj .autology .obsidian .trash .idea .vscode .venv .tox .nox .cache .pytest_cache .mypy_cache"
    " .ruff_cache .gradle .terraform .yarn .pnpm-store .bundle .eggs".split()
)
"""Hidden folders that hold a program's state, never what people wrote."""
HIDDEN = frozenset(".github .gitlab .gitea .forgejo .claude .cursor .windsurf .agents".split())
"""Hidden folders in which texts are looked for without version control, which would say what is tracked."""

_VENDORED = frozenset(
    "node_modules bower_components jspm_packages site-packages venv __pycache__ vendor vendors vendored _vendor"
    " third_party third-party thirdparty pods carthage".split()
)
_GENERATED = frozenset(
    "dist _build _site htmlcov generated _generated __generated__ .next .nuxt .docusaurus .svelte-kit"
    " versioned_docs".split()
)
"""Docusaurus copies the documentation to *versioned_docs* at each release."""
_FIXTURES = frozenset(
    "fixture fixtures __fixtures__ testdata test-data test_data testing-data __snapshots__ __mocks__".split()
)
_TESTS = frozenset("test tests __tests__ integration-tests integration_tests e2e-tests".split())
_DOCS = frozenset("doc docs documentation content".split())
"""Folders below which a folder called test is a chapter about tests."""
_LICENCES = frozenset(("licenses", "licences"))
_TEMPLATES = re.compile(r"(?:.*[-_ ])?templates?\Z", re.IGNORECASE)
_TEMPLATE = re.compile(
    r"(?:(?:0+|n{2,}|x{2,}|y{4}\w*|adr|madr|rfc|pep|kep|eip|bip|decision|record|proposal|design|issue|bug|feature"
    r"|pr|pull|merge|request|change|post|article|note|notes|daily|weekly|meeting|minutes|doc|document|spec|story|epic"
    r"|release|default|basic|simple|full|short|long|minimal|bare|my)[-_ ]?)*template\Z",
    re.IGNORECASE,
)
"""The name of a blank form: other names that end in template are texts about templates."""
_LICENCE = re.compile(
    r"(?:licen[cs]e|copying|notice|unlicense|patents)(?:[-_. ](?:mit|apache|bsd|l?gpl|agpl|mpl|cc|isc|\d).*)?\Z"
    r"|third[-_]?party[-_](?:notices?|licen[cs]es?)\Z",
    re.IGNORECASE,
)
_LICENCE_STARTS = ("licen", "copying", "notice", "unlicense", "patents", "third")
_DATA = re.compile(
    r"(?:.*[-_.])?(?:requirements|constraints|cmakelists|robots|humans|ads|sources|top_level|entry_points)(?:[-_.].*)?\Z",
    re.IGNORECASE,
)


def is_text(name: str) -> bool:
    """Whether the file *name* has a document's extension."""
    return name.lower().endswith(TEXTS)


def of_folder(path: str) -> Rule | None:
    """Return the rule by which the folder at *path* is left out, by its own name; None if it is not."""
    *above, name = path.lower().split("/")
    if name in _VENDORED:
        return Rule.VENDORED
    if name in _GENERATED:
        return Rule.GENERATED
    if name in _FIXTURES or (name in _TESTS and not _DOCS.intersection(above)):
        return Rule.FIXTURES
    if name in _LICENCES:
        return Rule.LICENCES
    return Rule.TEMPLATES if _TEMPLATES.match(name) else None


def of_file(path: str) -> Rule | None:
    """Return the rule by which the text at *path* is left out, by its own name; None if it is not."""
    name = path.rpartition("/")[2].lower()
    stem = name.rpartition(".")[0]
    rule = None
    if stem.startswith(_LICENCE_STARTS) and _LICENCE.match(stem):
        rule = Rule.LICENCES
    elif stem.endswith("template") and _TEMPLATE.match(stem):
        rule = Rule.TEMPLATES
    elif name.endswith(".txt") and _DATA.match(stem):
        rule = Rule.DATA
    return None if rule and is_instruction(path) else rule


def is_tests(folder: str) -> bool:
    """Whether *folder* holds tests, by its name."""
    return folder.rpartition("/")[2].lower() in _TESTS


def is_guide(path: str) -> bool:
    """Whether the text at *path* says how to run the tests in its folder: all other texts there are fixtures."""
    *folders, name = path.lower().split("/")
    tests = [folder for folder in folders if folder in _TESTS]
    return bool(folders) and folders[-1] in _TESTS and len(tests) == 1 and name.startswith("readme.")

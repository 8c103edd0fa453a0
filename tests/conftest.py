"""Every test has a home of its own; none can touch the real one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.surroundings import settle

# What fails in the tests' own tools shows its values, too.
pytest.register_assert_rewrite(*(f"tests.{file.name}" for file in Path(__file__).parent.iterdir() if file.is_dir()))

settle()  # before a module asks what there is

REAL_HOME = Path("~").expanduser()
KEPT = (
    "AUTOLOGY_BROWSER",
    "AUTOLOGY_BUILD_DIR",
    "AUTOLOGY_CLIENT",
    "AUTOLOGY_CLIENTS",
    "AUTOLOGY_EXECUTABLE",
    "AUTOLOGY_MODELS",
)
"""What tells tests where things are; every other word of the environment to Autology is a person's own."""
OF_A_PERSON = ("AUTOLOGY_", "CLAUDE_", "CODEX_", "CORTEX_", "GEMINI_", "XDG_")


# However long a busy machine takes for an example. Every run has the same ones; --hypothesis-profile=explore new ones.
settings.register_profile("explore", deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("steady", settings.get_profile("explore"), derandomize=True, database=None)
settings.load_profile("steady")


def places(home: Path) -> dict[str, str]:
    """Return an environment in which everything that belongs to a person lies below *home*."""
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "APPDATA": str(home / "AppData" / "Roaming"),
        "LOCALAPPDATA": str(home / "AppData" / "Local"),
        "AUTOLOGY_CACHE_DIR": str(home / "cache"),
        "AUTOLOGY_CONFIG": str(home / "config" / "config.yaml"),
        "AUTOLOGY_DATA_DIR": str(home / "data"),
        # Downloads of the build are no person's data, and too slow to repeat for every test.
        "PIP_CACHE_DIR": os.environ.get("PIP_CACHE_DIR") or str(REAL_HOME / ".cache" / "pip"),
        "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR") or str(REAL_HOME / ".cache" / "uv"),
    }


@pytest.fixture(scope="session", autouse=True)
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of whatever several tests have in common."""
    made = tmp_path_factory.mktemp("shared-home")
    with pytest.MonkeyPatch.context() as patch:
        _move_in(made, patch)
        yield made


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of one test, empty."""
    made = tmp_path_factory.mktemp("home")
    _move_in(made, monkeypatch)
    return made


def _move_in(home: Path, patch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(OF_A_PERSON) and name not in KEPT:
            patch.delenv(name)
    for name, value in places(home).items():
        patch.setenv(name, value)


def _own_places() -> tuple[str, ...]:
    kinds = (".config", ".local/share", ".cache", "Library/Application Support", "Library/Caches")
    kinds += ("AppData/Local", "AppData/Roaming")
    return tuple(str(REAL_HOME / kind / "autology") for kind in kinds)


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse whatever would open, make or remove a file of the person who runs the tests."""
    if event in ("open", "os.mkdir", "os.remove", "os.rename", "sqlite3.connect"):
        path = arguments[0]
        if isinstance(path, str) and path.startswith(_GUARDED):
            raise PermissionError(f"a test must not touch {path}")


_GUARDED = _own_places()
sys.addaudithook(_guard)

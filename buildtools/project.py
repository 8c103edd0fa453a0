"""The paths and the version of the checkout."""

import os
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Project:
    """A checkout at *root*; generated files go to *work*, which git ignores."""

    root: Path
    work: Path

    @classmethod
    def at(cls, root: Path) -> "Project":
        return cls(root, Path(os.environ.get("AUTOLOGY_BUILD_DIR") or root / ".build"))

    @property
    def executable(self) -> Path:
        return self.root / "dist" / "autology.pyz"

    @property
    def package(self) -> Path:
        return self.root / "server" / "autology"

    @property
    def boot(self) -> Path:
        """The files of the executable's top level."""
        return self.root / "server" / "boot"

    @property
    def requirements(self) -> Path:
        return self.root / "requirements"

    @property
    def shared(self) -> Path | None:
        """The folder of other projects' texts, for trials and benchmarks: AUTOLOGY_SHARED, else beside the checkout."""
        folder = Path(os.environ.get("AUTOLOGY_SHARED") or self.root.parent / "shared")
        return folder.resolve() if folder.is_dir() else None

    def version(self) -> str:
        """Return the version, read from the package's source without importing it."""
        text = (self.package / "__init__.py").read_text(encoding="utf-8")
        match = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
        if not match:
            raise ValueError(f'{self.package / "__init__.py"} has no line __version__ = "…"; add it')
        return match[1]

"""The third-party content of the executable: its bill of materials and licences, read from the file."""

import hashlib
import json
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.parser import Parser
from io import BytesIO
from pathlib import Path

from buildtools.run_programs import Failed

BY_CLASSIFIER = {
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
}


@dataclass(slots=True)
class Package:
    """A package in the executable; *texts* are its licences, by file name."""

    name: str
    version: str
    licence: str
    targets: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Return the package URL, the identifier that bills of materials use."""
        return f"pkg:pypi/{self.name.lower().replace('_', '-')}@{self.version}"


def packages(executable: Path) -> list[Package]:
    """Return every package inside *executable*. Raises Failed for one without a licence."""
    unique: dict[tuple[str, str], Package] = {}
    with zipfile.ZipFile(executable) as opened:
        members = _members(opened)
        for part in sorted({part for parts in members.values() for part in parts}):
            for group, files in _texts(opened.read(part)).items():
                targets = {key for key, parts in members.items() if group in parts.get(part, [])}
                for name in files:
                    if name.endswith(".dist-info/METADATA") and name.count("/") == 1:
                        package = _package(files, name)
                        entry = unique.setdefault((package.name, package.version), package)
                        entry.targets |= targets
                        entry.texts |= package.texts
    if not unique:
        raise Failed(f"{executable} contains no packages: it is not usable for a release")
    return sorted(unique.values(), key=lambda package: (package.name.lower(), package.version))


def bill(name: str, version: str, listed: list[Package], digest: str) -> str:
    """Return the bill of materials as CycloneDX JSON; reproducible for a file with the SHA-256 *digest*."""
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": f"{name}@{version}",
                "name": name,
                "version": version,
                "licenses": [{"expression": "MIT"}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
        },
        "components": [
            {
                "type": "library",
                "bom-ref": package.address,
                "name": package.name,
                "version": package.version,
                "purl": package.address,
                "licenses": [{"expression": package.licence}],
                "properties": [{"name": "autology:targets", "value": " ".join(sorted(package.targets))}],
            }
            for package in listed
        ],
        "dependencies": [{"ref": f"{name}@{version}", "dependsOn": [package.address for package in listed]}],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def licences(listed: list[Package]) -> str:
    """Return the licences of all packages in *listed*, each text once."""
    by_text: dict[str, list[str]] = {}
    for package in listed:
        title = f"{package.name} {package.version} ({package.licence})"
        for text in package.texts.values() or [f"Its package has no text of its licence, {package.licence}."]:
            by_text.setdefault(text.strip(), []).append(title)
    parts = [f"{'; '.join(dict.fromkeys(titles))}\n{'-' * 78}\n{text}\n" for text, titles in by_text.items()]
    head = "Third-party content of dist/autology.pyz, with licences; for everything else see NOTICE.\n"
    return "\n\n".join([head, *parts])


def checksums(folder: Path, names: list[str]) -> str:
    """Return a line for each regular file of *names* in *folder*, in the format of `sha256sum --check`."""
    files = [name for name in names if (folder / name).is_file() and not (folder / name).is_symlink()]
    return "".join(f"{digest(folder / name)}  {name}\n" for name in files)


def digest(file: Path) -> str:
    """Return the SHA-256 of *file*."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _members(opened: zipfile.ZipFile) -> dict[str, dict[str, list[str]]]:
    """Return the archive's own list of what each target unpacks."""
    scope: dict[str, dict[str, dict[str, list[str]]]] = {}
    exec(opened.read("autology_boot/facts.py"), scope)  # noqa: S102 - a few constants that the build wrote
    return scope["TARGETS"]


def _texts(part: bytes) -> dict[str, dict[str, str]]:
    """Return the packages' own texts in the nested archive *part*, by group and path."""
    texts: dict[str, dict[str, str]] = {}
    with tarfile.open(fileobj=BytesIO(part)) as inner:
        for entry in inner:
            group, _, name = entry.name.partition("/")
            if ".dist-info/" in name and (stream := inner.extractfile(entry)):
                texts.setdefault(group, {})[name] = stream.read().decode("utf-8", "replace")
    return texts


def _package(files: Mapping[str, str], name: str) -> Package:
    head = Parser().parsestr(files[name])
    folder = name.rpartition("/")[0]
    licence = head["License-Expression"] or _short(head["License"]) or _classified(head.get_all("Classifier") or [])
    if not licence:
        raise Failed(f"{head['Name']} {head['Version']} does not state its licence; add it to {__file__}")
    texts = {
        file: text.replace("\r\n", "\n")
        for file, text in files.items()
        if file.startswith(f"{folder}/") and file.rpartition("/")[2].upper().startswith(("LICEN", "COPYING", "NOTICE"))
    }
    return Package(head["Name"], head["Version"], licence, texts=texts)


def _short(licence: str | None) -> str:
    """Return the licence field where it is a name; some packages put the whole text there."""
    names = {"PSF": "PSF-2.0"}
    return names.get(licence, licence) if licence and len(licence) < 40 else ""


def _classified(classifiers: list[str]) -> str:
    names = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    return " AND ".join(BY_CLASSIFIER[name] for name in names if name in BY_CLASSIFIER)

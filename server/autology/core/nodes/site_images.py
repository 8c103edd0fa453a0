"""The images that a site's pages show: copied beside it; SVG, which can run scripts when it is opened, is embedded."""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from autology.text.markdown.links import images
from autology.text.redaction import secrets_in
from autology.text.slug import slug

FOLDER = "images"
"""The folder of the images, beside the site's page."""
MOST = 1_000
"""Maximum images of a site."""
BYTES = 200_000_000
"""Maximum bytes of a site's images together; a static host takes a gigabyte."""
EMBEDDED = 1_000_000
"""Maximum bytes of an embedded image: each makes the page itself longer."""
SVG = "image/svg+xml"
_SIGNATURES = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "image/avif": re.compile(rb"....ftypavi[fs]", re.DOTALL),
}
"""How the data of each type begins: any other data under such a name is not an image."""


class ImageFiles(Protocol):
    """The images of a project."""

    def read(self, path: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of the image at *path*; None if there is none in the project."""


@dataclass(frozen=True, slots=True)
class SiteImages:
    """The address of each image by its path in the project, the files by name, and how many images are left out."""

    addresses: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    left_out: int = 0


def site_images(texts: Sequence[tuple[str, str]], project: ImageFiles) -> SiteImages:
    """Return the images that *texts* show, each with the path of its file; those that cannot be shown are counted."""
    addresses: dict[str, str] = {}
    files: dict[str, bytes] = {}
    refused: set[str] = set()
    size = 0
    for path, text in texts:
        for target in images(text):
            place = next((one for one in _places(target, path) if one in addresses or one in refused), None)
            if place is not None:
                continue
            place, content = _read(target, path, project)
            shown = _shown(place, *content) if content else None
            if shown is None or len(addresses) >= MOST or size + len(shown[1]) > BYTES:
                refused.add(place)
                continue
            addresses[place], data = shown
            if data:
                files[addresses[place].rpartition("/")[2]] = data
                size += len(data)
    return SiteImages(dict(sorted(addresses.items())), dict(sorted(files.items())), len(refused))


def _read(target: str, path: str, project: ImageFiles) -> tuple[str, tuple[str, bytes] | None]:
    """Return the place of an image and its content; without one, the first place that it may be at."""
    places = list(_places(target, path))
    for place in places:
        if content := project.read(place):
            return place, content
    return (places[0] if places else target), None


def _places(target: str, path: str) -> Iterator[str]:
    """Yield the paths that *target* may be in the text at *path*: beside it, or from the project's folder."""
    folders = ("",) if target.startswith("/") else (posixpath.dirname(path), "")
    for place in dict.fromkeys(posixpath.normpath(posixpath.join(folder, target.lstrip("/"))) for folder in folders):
        if place != "." and not place.startswith("../"):
            yield place


def _shown(place: str, type: str, data: bytes) -> tuple[str, bytes] | None:
    """Return the address of an image and its data, empty if the address has it; None if it cannot be shown.

    An SVG opened by itself can run scripts, as the site's own: in the page it cannot.
    """
    if type == SVG:
        if len(data) > EMBEDDED or secrets_in(data.decode("utf-8", "replace")):
            return None
        return f"data:{SVG};base64,{base64.b64encode(data).decode('ascii')}", b""
    signature = _SIGNATURES.get(type)
    if signature is None or not signature.match(data):
        return None
    stem, ending = posixpath.splitext(posixpath.basename(place))
    name = "-".join(part for part in (slug(stem)[:40].strip("-"), sha256(data).hexdigest()[:12]) if part)
    return f"{FOLDER}/{name}{ending.lower()}", data

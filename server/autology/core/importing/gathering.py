"""Reading another tool's memory from a path."""

from __future__ import annotations

from autology.core.importing import basic_memory, earlier_autology, server_memory
from autology.core.importing.foreign import Remembered
from autology.core.importing.originals import Original, Originals, Refused
from autology.model.errors import StorageError

KINDS = (basic_memory.KIND, server_memory.KIND, earlier_autology.KIND)


def gather(kind: str, source: str, originals: Originals) -> Remembered:
    """Return the data of the tool called *kind* at *source*.

    Raises:
        StorageError: there is nothing of that kind.
    """
    if kind == server_memory.KIND:
        read = originals.text(source)
        return Remembered(kind, (), (read,)) if isinstance(read, Refused) else server_memory.read(read)
    if kind == basic_memory.KIND:
        return basic_memory.read(*originals.markdown(source))
    return _earlier(source, originals)


def _earlier(source: str, originals: Originals) -> Remembered:
    """The contents of an `.autology`, or of a project that has one."""
    for at in (f"{source}/.autology", source):
        try:
            files, refused = originals.markdown(f"{at}/nodes", notes=True)
        except StorageError as error:
            if "no such folder" not in error.reason:
                raise
            continue
        return earlier_autology.read(files, refused, _index(f"{at}/graph/index.json", originals))
    step = "Give an .autology folder, or the project that has one."
    raise StorageError(source, "has no nodes of an earlier Autology", step)


def _index(path: str, originals: Originals) -> Original | None:
    try:
        read = originals.text(path)
    except StorageError:
        return None
    return read if isinstance(read, Original) else None

"""Reading another tool's memory from files or folders."""

from __future__ import annotations

from collections.abc import Sequence

from autology.core.importing import basic_memory, earlier_autology, server_memory
from autology.core.importing.originals import Original, Originals, Refused
from autology.core.importing.other_tool_data import ForeignData
from autology.model.errors import StorageError


def gather(kind: str, sources: Sequence[str], originals: Originals) -> ForeignData:
    """Return the data of the tool called *kind* in *sources*; an item in two of them counts once.

    Raises:
        StorageError: there is nothing of that kind in one of them.
    """
    parts = [_READERS[kind](source, originals) for source in sources]
    items = {item.key: item for part in parts for item in part.items}
    return ForeignData(
        kind,
        tuple(items.values()),
        tuple(refused for part in parts for refused in part.refused),
        tuple(remark for part in parts for remark in part.remarks),
    )


def _server_memory(source: str, originals: Originals) -> ForeignData:
    original = originals.text(source)
    if isinstance(original, Refused):
        return ForeignData(server_memory.KIND, (), (original,))
    return server_memory.read(original)


def _basic_memory(source: str, originals: Originals) -> ForeignData:
    return basic_memory.read(*originals.markdown(source))


def _earlier_autology(source: str, originals: Originals) -> ForeignData:
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


_READERS = {
    basic_memory.KIND: _basic_memory,
    server_memory.KIND: _server_memory,
    earlier_autology.KIND: _earlier_autology,
}
KINDS = tuple(_READERS)

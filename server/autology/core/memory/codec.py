"""Memories as files, and as index entries."""

from __future__ import annotations

import re

from autology.core.content.codec import Codec, Stored, Trashed, text_of
from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.core.memory.chunks import Chunks
from autology.core.memory.index_entry import entry_of
from autology.model.entry import MEMORY
from autology.model.memory import MEMORIES, Kind, Memory, check_id, kind
from autology.text.notes.fields import in_line_ends_of
from autology.text.notes.memory_file import edit_memory, read_memory, write_memory

_FILE = re.compile(r"[^\\]*\.md\Z", re.DOTALL)


class MemoryCodec(Codec[Memory]):
    """A memory is ``.autology/memory/{kind}/{id}.md``; *chunks* splits long ones."""

    kind = MEMORY
    noun = "memory"
    trash = "memory"
    batch = 200

    def __init__(self, chunks: Chunks) -> None:
        self._chunks = chunks

    def parse(self, data: bytes, path: str) -> Memory:
        """Return the memory in *data*. Raises UnreadableNodeError."""
        folder = path.split("/")[-2] if "/" in path else ""
        return read_memory(text_of(data), next((kind for kind in Kind if kind.value == folder), None))

    def serialise(self, entry: Memory) -> bytes:
        """Return the data of a new memory."""
        return write_memory(entry).encode()

    def edit(self, stored: Stored[Memory], entry: Memory) -> tuple[Memory, bytes]:
        """Return *entry* with the line endings of *stored*, and the updated data."""
        text = text_of(stored.data)
        memory = in_line_ends_of(text, stored.entry, entry)
        return memory, edit_memory(text, memory).encode()

    def project(self, path: str, at: Stamp, entry: Memory) -> Put:
        """Return the memory's index entry."""
        return Put(path, at, entry_of(entry), self._chunks.passages(entry))

    def check_trashed(self, item: Trashed) -> None:
        """Raise if *item* cannot be a deleted memory."""
        check_id(item.id)
        folder, _, file = item.path.rpartition("/")
        if folder != f"{MEMORIES}{kind(item.type).value}" or file.startswith(".") or not _FILE.match(file):
            raise ValueError

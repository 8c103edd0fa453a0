"""What the parts of an index share: its file, the encoders of its passages, and the cache of its rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from autology.core.index.retrieval import Encoder
from autology.index.checked_rows import checked_texts
from autology.index.index_file import LOG_LIMIT, IndexFile
from autology.index.row_cache import RowCache
from autology.model.errors import EncodingError

MakeEncoder = Callable[[], Encoder | None]


class OpenIndex:
    """The file of one index, with the caches and encoders for it.

    *path* returns the file's path on every call: a project gets its own folder only with the first write. *built_in*
    returns the built-in encoder lazily; *chosen* the one the user chose in addition. *save_codes* says whether codes of
    passages may be cached in files next to the index. For *log_limit*, see
    :class:`~autology.index.index_file.IndexFile`.
    """

    def __init__(
        self,
        path: Callable[[], str],
        built_in: MakeEncoder,
        chosen: MakeEncoder,
        save_codes: bool = True,
        log_limit: int = LOG_LIMIT,
    ) -> None:
        self.file = IndexFile(path, log_limit)
        self.encoders = Encoders(built_in, chosen)
        self.save_codes = save_codes
        self.vectors_due = True  # whether passages may lack their vectors: an earlier process may have left some
        self.word_rows: dict[str, bytes] = {}  # of single words, by the built-in encoder
        self._cache = RowCache()

    def cache(self, generation: str) -> RowCache:
        """Return the cache for the index with that generation."""
        self._cache = cache = self._cache.of(generation)
        return cache


class IndexPart:
    """A part of an index; all parts of one index share *opened*."""

    def __init__(self, opened: OpenIndex) -> None:
        self._opened = opened
        self._file = opened.file
        self._encoders = opened.encoders


class Encoders:
    """Returns the current encoders on each call, because the user may choose another model at any time.

    A model that failed is not tried again until a different one is chosen; *fault* holds the reason.
    """

    def __init__(self, built_in: MakeEncoder, chosen: MakeEncoder) -> None:
        self.built_in = built_in
        self._chosen = chosen
        self._failed: Encoder | None = None
        self.fault = ""

    def chosen(self) -> Encoder | None:
        """Return the user's model; None if none was chosen or it cannot be used."""
        try:
            model = self._chosen()
        except EncodingError as error:
            self.fault = error.message
            return None
        if model is not None and model is self._failed:
            return None
        self._failed, self.fault = None, ""
        return model

    def failed(self, model: Encoder, error: EncodingError) -> None:
        """Record that *model* failed."""
        self._failed, self.fault = model, error.message


def generation_of(db: sqlite3.Connection) -> str:
    """Return the random id of the index in *db*."""
    stored = db.execute("SELECT value FROM meta WHERE key='generation'").fetchone()
    return str(checked_texts(stored or (None,), 1)[0])

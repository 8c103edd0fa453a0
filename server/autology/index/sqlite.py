"""The index in one SQLite file."""

from __future__ import annotations

from collections.abc import Callable

from autology.index.catalogue import SqliteCatalogue
from autology.index.index_file import LOG_LIMIT
from autology.index.indexed_files import SqliteIndexedFiles
from autology.index.open_index import MakeEncoder, OpenIndex
from autology.index.relations import SqliteRelations
from autology.index.text.lexical_search import SqliteTextSearch
from autology.index.text.word_statistics import SqliteWordStatistics
from autology.index.vectors.semantic_search import SqliteVectorSearch
from autology.index.vectors.unencoded_sources import SqliteSecondPass
from autology.index.vectors.waiting_passages import SqliteEmbeddingQueue


class SqliteIndex(
    SqliteIndexedFiles,
    SqliteCatalogue,
    SqliteRelations,
    SqliteTextSearch,
    SqliteWordStatistics,
    SqliteVectorSearch,
    SqliteEmbeddingQueue,
    SqliteSecondPass,
):
    """The :class:`~autology.core.index.index.Index` of one project; the arguments are those of :class:`OpenIndex`."""

    def __init__(
        self,
        path: Callable[[], str],
        built_in: MakeEncoder = lambda: None,
        chosen: MakeEncoder = lambda: None,
        save_codes: bool = True,
        log_limit: int = LOG_LIMIT,
    ) -> None:
        super().__init__(OpenIndex(path, built_in, chosen, save_codes, log_limit))

    def has_long_log(self) -> bool:
        """Whether :meth:`truncate_log` has anything to do; cheap."""
        return self._file.has_long_log()

    def truncate_log(self) -> None:
        """Truncate a long write-ahead log, between calls. Raises StorageError."""
        self._file.truncate_log()

"""Encoder selection: the user's model if it loads, else the built-in static table."""

from __future__ import annotations

from collections.abc import Callable

from autology.core.index.vector_search import Encoder
from autology.model.errors import EncodingError

Make = Callable[[], Encoder | None]


class Encoders:
    """Returns the current encoders on each call, because the user may choose another model at any time.

    A model that failed is not tried again until a different one is chosen; *fault* holds the reason.
    """

    def __init__(self, table: Make, model: Make) -> None:
        self.table = table
        self._model = model
        self._failed: Encoder | None = None
        self.fault = ""

    def model(self) -> Encoder | None:
        """Return the user's model; None if none was chosen or it cannot be used."""
        try:
            chosen = self._model()
        except EncodingError as error:
            self.fault = str(error)
            return None
        if chosen is not None and chosen is self._failed:
            return None
        self._failed, self.fault = None, ""
        return chosen

    def failed(self, model: Encoder, error: EncodingError) -> None:
        """Record that *model* failed."""
        self._failed, self.fault = model, str(error)

"""What an index encodes with: the table that is always there, and the model that the user chose, where it runs."""

from __future__ import annotations

from collections.abc import Callable

from autology.core.ports import Encoder
from autology.model.errors import EncodingError

Make = Callable[[], Encoder | None]


class Tiers:
    """Gives the encoders anew for every call: a user may choose another at any time.

    A model that failed is not tried again, and *fault* says why, until another one is given.
    """

    def __init__(self, table: Make, model: Make) -> None:
        self.table = table
        self._model = model
        self._failed: Encoder | None = None
        self.fault = ""

    def model(self) -> Encoder | None:
        """Return the model that the user chose; None where none was chosen or it cannot be used."""
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
        """Remember that *model* does not run."""
        self._failed, self.fault = model, str(error)

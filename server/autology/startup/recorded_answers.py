"""The SDK's answers to a client's first requests, recorded when the executable was built."""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.abc import SourceLoader

FILE = "recorded_answers.json"


class RecordedAnswers:
    """Answers of a server with certain groups of tools, by protocol version and method.

    An answer is the rest of its line after the request's id, in numbered pieces with commas between them.
    """

    def __init__(
        self,
        handshake: Sequence[str],
        envelope: str,
        pieces: Sequence[str],
        answers: Mapping[str, Mapping[str, Sequence[int]]],
    ) -> None:
        self.envelope = envelope
        self._handshake = handshake
        self._pieces = pieces
        self._answers = answers

    def negotiated(self, version: str) -> str:
        """Return the version of a connection whose client asks for *version* in its handshake."""
        return version if version in self._handshake else self._handshake[-1]

    def answer(self, version: str, method: str) -> str | None:
        """Return the answer to *method* on a connection of that *version*, or None if it was an error."""
        numbers = self._answers[version].get(method)
        return None if numbers is None else ",".join(self._pieces[number] for number in numbers)


def load(groups: Sequence[str]) -> RecordedAnswers | None:
    """Return the answers of a server with these *groups* of tools; None if the program was not built."""
    loader: SourceLoader = __loader__  # type: ignore[name-defined]
    try:
        record = json.loads(loader.get_data(os.path.join(os.path.dirname(__file__), FILE)))
    except OSError:
        return None
    return RecordedAnswers(
        record["handshake"], record["envelope"], record["pieces"], record["answers"][",".join(groups)]
    )

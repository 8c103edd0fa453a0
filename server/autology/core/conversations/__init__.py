"""What was said in past sessions: read from the client's transcripts, kept in an archive, found through an index."""

from autology.core.conversations.conversations import Conversations, Rules
from autology.core.conversations.coverage import Coverage
from autology.core.conversations.keeping import Kept

__all__ = ["Conversations", "Coverage", "Kept", "Rules"]

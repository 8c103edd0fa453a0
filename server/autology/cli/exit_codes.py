"""The exit codes of the commands."""

from __future__ import annotations

FINE, FINDINGS, USAGE, UNEXPECTED, STOPPED = 0, 1, 2, 3, 130

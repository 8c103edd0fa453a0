"""Every trial has a home of its own, as every test has."""

from __future__ import annotations

from tests.conftest import home, shared_home
from trials.texts import SHARED  # Absent texts are reported once, and not by every file.

__all__ = ["SHARED", "home", "shared_home"]

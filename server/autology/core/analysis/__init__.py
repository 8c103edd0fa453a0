"""The state of what is known: findings, each with what it rests on and the call that mends it."""

from autology.core.analysis.analyze import CHECKS, Analysis, analyze
from autology.core.analysis.finding import SEVERITIES, Finding, Subject

__all__ = ["CHECKS", "SEVERITIES", "Analysis", "Finding", "Subject", "analyze"]

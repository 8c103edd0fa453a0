"""Decision records as projects keep them: read, rebuilt to the letter, found, and linked to each other."""

from autology.text.adr.folders import find_record_folders
from autology.text.adr.links import Link
from autology.text.adr.record import Record, original, parse
from autology.text.adr.resolve import resolve
from autology.text.adr.sections import missing_sections

__all__ = ["Link", "Record", "find_record_folders", "missing_sections", "original", "parse", "resolve"]

"""The contents of this executable; the build writes the archive's own version of this file."""

BUILD_ID = "source"
VERSION = "0"

# For each target, by its name in autology_boot.target: the members of the archive that make up the program.
TARGETS = {}  # type: dict[str, list[str]]

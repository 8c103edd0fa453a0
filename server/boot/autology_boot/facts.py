"""The contents of this executable; the build writes the archive's own version of this file."""

BUILD_ID = "source"
VERSION = "0"

# For each target, by its name in autology_boot.target: the nested archives of the program, each with the folders of it.
TARGETS = {}  # type: dict[str, dict[str, list[str]]]

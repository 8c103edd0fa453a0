"""What this executable holds; the build writes the archive's own version of this file."""

BUILD_ID = "source"
VERSION = "0"

# For each target, as autology_boot.target names them: the members of the archive that make up the program.
TARGETS = {}  # type: dict[str, list[str]]

"""Running a hook straight from the archive: nothing is unpacked, and only the standard library is loaded."""

import sys


def run(archive, event, raw):
    """Run the hook *event* on the input *raw*; return its exit code after flushing its output."""
    if sys.version_info < (3, 11):
        from autology_boot import interpreters

        return interpreters.run_hook(archive, event, raw)
    use_utf8(sys.stdout, sys.stderr)
    sys.path[0:0] = module_folders(archive)
    from autology.hooks import runner

    code = runner.run(event, raw)
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code or 0)


def module_folders(archive):
    """Return the folders of the modules that run straight from the archive: this Python's bytecode, else source."""
    return [archive + "/hooks-" + str(sys.implementation.cache_tag), archive + "/hooks-src"]


def use_utf8(*streams):
    """Switch *streams* to UTF-8 whatever the locale, with replacement of characters they cannot show."""
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")

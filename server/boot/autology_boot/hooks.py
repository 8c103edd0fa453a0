"""Running a hook straight from the archive: nothing is unpacked, and only the standard library is loaded."""

import sys


def run(archive, event, raw):
    """Run the hook *event* on the input *raw*; return its exit code, with everything it printed written."""
    if sys.version_info < (3, 11):
        from autology_boot import interpreters

        return interpreters.run_hook(archive, event, raw)
    use_utf8(sys.stdout, sys.stderr)
    # Bytecode of this Python where the archive has it, else source.
    sys.path[0:0] = [archive + "/hooks-" + str(sys.implementation.cache_tag), archive + "/hooks-src"]
    from autology.hooks import runner

    code = runner.run(event, raw)
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code or 0)


def use_utf8(*streams):
    """Make *streams* speak UTF-8 whatever the locale, and never fail over a character they cannot show."""
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")

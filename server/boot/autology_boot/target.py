"""The platform tag for compiled code: the running Python and its platform, as cp311-linux_x86_64."""

import os
import sys


def key():
    return python_tag() + "-" + platform()


def python_tag():
    if sys.implementation.name != "cpython":
        return "%s%d%d" % (sys.implementation.name, sys.version_info[0], sys.version_info[1])
    free_threaded = "t" if "t" in getattr(sys, "abiflags", "") else ""
    return "cp%d%d%s" % (sys.version_info[0], sys.version_info[1], free_threaded)


def platform():
    if sys.platform == "win32":
        # sys.version ends in "(ARM64)]", "(AMD64)]" or "(Intel)]"; asking Windows itself costs a process.
        machine = "arm64" if "ARM64" in sys.version else "x86_64" if "AMD64" in sys.version else "x86"
        return "windows_" + machine
    machine = os.uname().machine
    if sys.platform == "darwin":
        return "macos_" + machine
    musl = "_musl" if "musl" in getattr(sys.implementation, "_multiarch", "") else ""
    return sys.platform + "_" + machine + musl


if __name__ == "__main__":
    print(key())

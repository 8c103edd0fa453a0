"""A Windows library without code whose one function is another library's: what an older Wine lacks, by another name."""

import struct

BASE, SECTION, FILE_ALIGNMENT = 0x1_8000_0000, 0x1000, 0x200
HEADERS = 0x200
AMD64, EXECUTABLE_DLL, PE32_PLUS, CONSOLE, READABLE_DATA = 0x8664, 0x2022, 0x20B, 3, 0x4000_0040


def forwarding(library: str, function: str, target: str) -> bytes:
    """Return the library *library*, whose *function* is *target*, written as `library.function`."""
    exports = _exports(library, function, target)
    data = exports.ljust(-(-len(exports) // FILE_ALIGNMENT) * FILE_ALIGNMENT, b"\0")
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    file_header = struct.pack("<4sHHIIIHH", b"PE\0\0", AMD64, 1, 0, 0, 0, 240, EXECUTABLE_DLL)
    sizes = struct.pack("<HBBIIIII", PE32_PLUS, 1, 0, 0, len(data), 0, 0, SECTION)
    image = struct.pack("<QIIHHHHHH", BASE, SECTION, FILE_ALIGNMENT, 6, 0, 0, 0, 6, 0)
    image += struct.pack("<IIIIHH", 0, 2 * SECTION, HEADERS, 0, CONSOLE, 0)
    stacks = struct.pack("<QQQQII", 0x10_0000, 0x1000, 0x10_0000, 0x1000, 0, 16)
    directories = struct.pack("<II", SECTION, len(exports)).ljust(16 * 8, b"\0")
    where = (len(exports), SECTION, len(data), HEADERS)
    section = struct.pack("<8sIIIIIIHHI", b".edata", *where, 0, 0, 0, 0, READABLE_DATA)
    headers = dos + file_header + sizes + image + stacks + directories + section
    return headers.ljust(HEADERS, b"\0") + data


def _exports(library: str, function: str, target: str) -> bytes:
    """Return the export directory with its tables and names, which begins at the address SECTION."""
    names = [text.encode() + b"\0" for text in (library, function, target)]
    tables = SECTION + 40
    places = [tables + 12 + sum(map(len, names[:at])) for at in range(len(names))]
    # An address inside the directory is not code, but the name of what to use instead.
    directory = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, places[0], 1, 1, 1, tables, tables + 4, tables + 8)
    return directory + struct.pack("<IIHH", places[2], places[1], 0, 0) + b"".join(names)

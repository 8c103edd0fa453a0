"""The unpacked copy of the program: created once for each build, Python and platform, atomically.

A copy is a folder of the cache with two lists in it: FILES, each file's size, written while unpacking, and FOLDERS,
each folder's modification time, written last. A start compares only the times (some 200 stats, under a millisecond):
adding or removing a file changes the time of its folder. Only if they differ are the sizes compared.

Python writes missing bytecode when it first imports a module: a first start imports a
third of them, and compiling all took half of its time. A later start repairs additions and losses.
"""

import os
import sys
import time

from autology_boot import facts, places
from autology_boot.problem import Problem

FILES = ".files"
FOLDERS = ".folders"
BYTECODE = "__pycache__"
# Beginnings of the names of unfinished copies, made with the lock and without it, and of deleted ones.
UNFINISHED, UNLOCKED, DISCARDED = ".new-", ".own-", ".old-"
WAIT = 15  # Seconds for another process's unpacking, which takes less than one; a client waits 30 for a server.
UNUSED_SECONDS = (
    7 * 24 * 3600
)  # Seconds after its last start before another build's copy is deleted: servers run for days.
READ = 1024 * 1024  # Bytes read at a time.
LINKS = (0xA0000003, 0xA000000C)  # Windows' tags of a junction and a symbolic link.
ABANDONED = 3600  # Seconds after which an unfinished copy is a dead process's.


def members(target):
    """Return the nested archives of the program for *target*, each with its folders; empty if it has none."""
    return facts.TARGETS.get(target, {})


def possible(target):
    """Whether a copy for *target* exists, or this Python can make one: some are built without liblzma."""
    if os.path.isdir(os.path.join(places.cache_folder(), "app", _name(target))):
        return True
    try:
        import lzma  # noqa: F401
    except ImportError:
        return False
    return True


def folder(archive, target, parts):
    """Return the folder of the unpacked copy, unpacking *parts* first if needed.

    Raises Problem if no folder is writable.
    """
    name = _name(target)
    cache = os.path.join(places.cache_folder(), "app")
    if _is_own(cache) and usable(os.path.join(cache, name)):
        return os.path.join(cache, name)
    reasons = []
    for find_root in (lambda: cache, _temporary_root):
        root = "the folder for temporary files"
        try:
            root = find_root()
            return _create(archive, root, name, parts)
        except OSError as problem:
            reasons.append("%s: %s" % (root, problem.strerror or problem))
    raise Problem(
        "Autology unpacks itself once, but no folder is writable (%s)." % "; ".join(reasons),
        "Make the folder writable, free some space, or set AUTOLOGY_CACHE_DIR to a folder that is.",
    )


def usable(copy):
    """Whether *copy* is ours and complete, by a cheap check; records that it is in use."""
    if not _is_own(copy):
        return False
    try:
        with open(os.path.join(copy, FOLDERS), encoding="utf-8") as file:
            times = file.read().splitlines()
        unchanged = bool(times) and all(_unchanged(copy, line) for line in times)
        if not unchanged and not intact(copy):
            return False
    except (OSError, ValueError):
        return False
    try:
        if not unchanged:
            _write_folders(copy)
        elif time.time() - os.stat(os.path.join(copy, FOLDERS)).st_mtime > UNUSED_SECONDS / 7:
            os.utime(os.path.join(copy, FOLDERS))
            _remove_old(*os.path.split(copy))
    except OSError:
        pass  # A read-only copy works as well.
    return True


def intact(copy):
    """Whether all files of *copy* exist in their full size."""
    try:
        with open(os.path.join(copy, FILES), encoding="utf-8") as file:
            lines = file.read().splitlines()
        sizes = [line.split(" ", 1) for line in lines]
        return bool(sizes) and all(os.stat(os.path.join(copy, name)).st_size == int(size) for size, name in sizes)
    except (OSError, ValueError):
        return False


def sound(copy):
    """Whether *copy* is intact, and later bytecode files, whose size is unknown, are readable."""
    try:
        with open(os.path.join(copy, FILES), encoding="utf-8") as file:
            sizes = {line.split(" ", 1)[1] for line in file.read().splitlines()}
    except (OSError, ValueError, IndexError):
        return False
    later_bytecode = [name for name in _names(copy) if name.endswith(".pyc") and name not in sizes]
    return intact(copy) and all(_readable(os.path.join(copy, name)) for name in later_bytecode)


def _readable(bytecode):
    import marshal

    try:
        with open(bytecode, "rb") as file:
            file.seek(16)  # After the header.
            marshal.load(file)  # noqa: S302 - an import of it would do that too
    except (OSError, EOFError, ValueError, TypeError):
        return False
    return True


def discard(copy):
    """Delete *copy*; it disappears at once, even while its files are still being deleted."""
    import shutil
    import tempfile

    aside = tempfile.mkdtemp(prefix=DISCARDED, dir=os.path.dirname(copy))
    try:
        os.rename(copy, os.path.join(aside, "copy"))
    except OSError:
        pass  # Gone already, or in use on Windows: then its files are replaced one start later.
    shutil.rmtree(aside, ignore_errors=True)


def enter(copy):
    """Make *copy* the first entry of the import path, before the archive."""
    sys.dont_write_bytecode = False  # Whatever the user's setting for other programs: this is our folder.
    sys.path.insert(0, copy)
    for name, module in list(sys.modules.items()):  # Packages of which a part was loaded from the archive.
        if name.partition(".")[0] == "autology" and hasattr(module, "__path__"):
            module.__path__ = [os.path.join(copy, *name.split("."))]
    if any(name.endswith(".pth") for name in os.listdir(copy)):
        import site  # pywin32 finds its parts through a .pth file.

        site.addsitedir(copy)


def _name(target):
    return facts.BUILD_ID + "-" + target


def _unchanged(copy, line):
    changed, name = line.split(" ", 1)
    return os.stat(os.path.join(copy, name)).st_mtime_ns == int(changed)


def _create(archive, root, name, parts):
    from autology_boot import lock

    os.makedirs(root, mode=0o700, exist_ok=True)
    if not _is_own(root):
        raise PermissionError(1, "is a link, or not private to this user", root)
    copy = os.path.join(root, name)
    with lock.held(os.path.join(root, ".lock"), WAIT) as alone:
        if usable(copy):
            return copy
        if alone:
            _remove_unfinished(root)
        _unpack(archive, root, copy, parts, UNFINISHED if alone else UNLOCKED)
        _remove_old(root, name)
    return copy


def _remove_unfinished(root):
    """Delete what processes that died left; the caller has the lock, so that none of them is alive."""
    import shutil

    for name in os.listdir(root):
        if name.startswith(UNFINISHED):
            shutil.rmtree(os.path.join(root, name), ignore_errors=True)


def _unpack(archive, root, copy, parts, prefix):
    import shutil
    import tempfile

    new = tempfile.mkdtemp(prefix=prefix, dir=root)
    try:
        _extract(archive, new, parts)
        _make_room(new)
        _write_files(new)
        _write_folders(new)
        try:
            os.rename(new, copy)
        except OSError:
            if not usable(copy):  # Another process may have been first; else the existing copy is damaged.
                discard(copy)
                os.rename(new, copy)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _extract(archive, new, parts):
    import zipfile

    with zipfile.ZipFile(archive) as outer:
        for name, groups in parts.items():
            with outer.open(name) as stored, _decompressed(name, stored) as part:
                _extract_groups(part, groups, new)
                while part.read(READ):  # To the end, where the checksums are.
                    pass


def _decompressed(name, stored):
    if name.endswith(".gz"):
        import gzip

        return gzip.open(stored)
    try:
        import lzma
    except ImportError as problem:  # Met only here if a copy exists, but is damaged.
        raise Problem(
            "The unpacked copy of Autology is damaged, and this Python was built without lzma, which unpacks another.",
            "Delete the folder %s, and start again." % os.path.join(places.cache_folder(), "app"),
        ) from problem
    return lzma.open(stored)


def _extract_groups(part, groups, new):
    import shutil
    import tarfile

    folders = set()
    with tarfile.open(fileobj=part, mode="r|", bufsize=READ) as entries:
        for entry in entries:
            group, _, name = entry.name.partition("/")
            if group not in groups:
                continue
            path = os.path.join(new, *name.split("/"))
            folder = os.path.dirname(path)
            if folder not in folders:
                os.makedirs(folder, exist_ok=True)
                folders.add(folder)
            with open(path, "wb") as file:
                shutil.copyfileobj(entries.extractfile(entry), file)


def _make_room(new):
    """Create the folders for Python's bytecode: creating them later would change the times of their parents."""
    for where, folders, names in os.walk(new):
        if BYTECODE in folders:
            folders.remove(BYTECODE)
        elif any(name.endswith(".py") for name in names):
            os.mkdir(os.path.join(where, BYTECODE))


def _write_files(copy):
    lines = ["%d %s" % (os.stat(os.path.join(copy, name)).st_size, name) for name in _names(copy)]
    _write(os.path.join(copy, FILES), lines)
    _write(os.path.join(copy, FOLDERS), [])  # So that rewriting it adds no entry, and changes no time.


def _names(copy):
    """Yield each file's path in *copy*."""
    for where, _, names in os.walk(copy):
        inside = os.path.relpath(where, copy).replace(os.sep, "/") + "/"
        for name in sorted(names):
            yield inside + name


def _write_folders(copy):
    lines = []
    for where, folders, _ in os.walk(copy):
        folders[:] = [name for name in folders if name != BYTECODE]
        inside = os.path.relpath(where, copy).replace(os.sep, "/")
        lines.append("%d %s" % (os.stat(where).st_mtime_ns, inside))
    _write(os.path.join(copy, FOLDERS), lines)


def _write(file, lines):
    with open(file, "w", encoding="utf-8", newline="") as stream:
        stream.write("\n".join(lines))


def _remove_old(root, current):
    import shutil

    now = time.time()
    for name in os.listdir(root):
        path = os.path.join(root, name)
        unfinished = name.startswith((UNFINISHED, UNLOCKED, DISCARDED))
        if name == current or (name.startswith(".") and not unfinished):
            continue
        try:
            used = os.stat(path if unfinished else os.path.join(path, FOLDERS)).st_mtime
        except OSError:
            used = 0
        if now - used > (ABANDONED if unfinished else UNUSED_SECONDS):
            if unfinished:
                shutil.rmtree(path, ignore_errors=True)
            else:
                discard(path)


def _is_own(folder):
    """Whether *folder* is a folder and not a link, and not writable by others."""
    import stat

    try:
        status = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode) or getattr(status, "st_reparse_tag", 0) in LINKS:
        return False
    return sys.platform == "win32" or (status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022)


def _temporary_root():
    """Return a temporary folder private to this user: others could plant a program in a shared one."""
    import tempfile

    base = tempfile.gettempdir()
    if sys.platform == "win32":  # Each user has a private one.
        return os.path.join(base, "autology", "app")
    root = os.path.join(base, "autology-%d" % os.getuid())
    os.makedirs(root, mode=0o700, exist_ok=True)
    if not _is_own(root) or os.lstat(root).st_uid != os.getuid():
        raise PermissionError(1, "is not private to this user", root)
    return os.path.join(root, "app")

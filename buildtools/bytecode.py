"""Reproducible bytecode without paths of this machine, and never rechecked against its source.

Run it as a separate program with PYTHONHASHSEED=0: earlier compilations and interned strings of a process, and the
order of its sets, would change the bytes.
"""

import py_compile
import sys
from pathlib import Path


def compile_tree(root: Path) -> None:
    """Compile each module under *root* that has no bytecode yet, under its path relative to *root*."""
    tag = sys.implementation.cache_tag
    for source in sorted(root.rglob("*.py")):
        target = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
        if target.exists():
            continue
        try:
            py_compile.compile(
                str(source),
                cfile=str(target),
                dfile=source.relative_to(root).as_posix(),
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
        except py_compile.PyCompileError as problem:
            print(f"not compiled: {problem}", file=sys.stderr)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_tree(Path(name))

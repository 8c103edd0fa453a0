"""The release as an archive, installed and updated by the client from a web server: `build.py everywhere`.

The client takes archives from https alone and from no local host. So all of it runs in a network of its own (Linux,
as root), where an address of the block kept for examples stands for a host and answers to a name; nothing leaves it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from buildtools import release as releases
from tests.e2e.driving import Claude
from tests.e2e.test_client_updates import NEW, OLD, newer  # noqa: F401 - a fixture

HOST, ADDRESS = "plugins.example.com", "203.0.113.7"
CERTIFICATES = f"""\
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj '/CN=tests' \\
    -addext basicConstraints=critical,CA:TRUE
openssl req -newkey rsa:2048 -nodes -keyout key.pem -out asked.pem -subj '/CN={HOST}'
printf 'subjectAltName=DNS:{HOST}\\n' > names
openssl x509 -req -in asked.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem
printf '127.0.0.1 localhost\\n{ADDRESS} {HOST}\\n' > hosts
"""
SERVER = f"""
import http.server, ssl
served = http.server.ThreadingHTTPServer(("{ADDRESS}", 443), http.server.SimpleHTTPRequestHandler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
served.socket = context.wrap_socket(served.socket, server_side=True)
print("ready", flush=True)
served.serve_forever()
"""
STEPS = f"""
set -eu
ip link set lo up
ip address add {ADDRESS}/32 dev lo
mount --bind hosts /etc/hosts
"$PYTHON" server.py > ready 2> served.log &
trap "kill $!" EXIT
until grep -q ready ready; do sleep 0.1; done
offer() {{ cp "offers/$1.json" market/.claude-plugin/marketplace.json; }}
offer old
"$CLIENT" plugin marketplace add "$PWD/market"
"$CLIENT" plugin install autology@offered
"$CLIENT" plugin list --json > old.json
offer new
"$CLIENT" plugin marketplace update offered
"$CLIENT" plugin update autology@offered
"$CLIENT" plugin list --json > new.json
"$CLIENT" plugin uninstall autology@offered
offer wrong
"$CLIENT" plugin marketplace update offered
if "$CLIENT" plugin install autology@offered > refused 2>&1; then exit 9; fi
"""


@pytest.fixture
def apart() -> str:
    """What begins a command that is to have a network of its own."""
    program = shutil.which("unshare")
    if not program or subprocess.run([program, "-n", "-m", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("archives were not tried: this takes Linux, root, and leave to make a network of its own")
    return program


def test_an_archive_is_installed_updated_and_refused_where_its_checksum_is_another(
    client: Path,
    release: Path,
    newer: Path,  # noqa: F811
    tmp_path: Path,
    apart: str,
) -> None:
    (tmp_path / "offers").mkdir()
    (tmp_path / "market" / ".claude-plugin").mkdir(parents=True)
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    digests = {}
    for name, folder in (("old", release), ("new", newer)):
        digests[name] = releases.pack(folder, tmp_path / f"{name}.zip")
        offer(tmp_path, name, f"{name}.zip", digests[name])
    offer(tmp_path, "wrong", "new.zip", digests["old"])
    subprocess.run(["sh", "-euc", CERTIFICATES], cwd=tmp_path, capture_output=True, check=True)
    claude = Claude(client, tmp_path / "user", None)
    trusted = {"NODE_EXTRA_CA_CERTS": str(tmp_path / "ca.pem"), "SSL_CERT_FILE": str(tmp_path / "ca.pem")}
    environment = {**claude.harness.base_env, **trusted, "CLIENT": str(client), "PYTHON": sys.executable}
    command = [apart, "-n", "-m", "bash", "-c", STEPS]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    for name, version, folder in (("old", OLD, release), ("new", NEW, newer)):
        [listed] = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        assert (listed["version"], listed["enabled"]) == (version, True)
        assert same(Path(listed["installPath"]), folder) or name == "old"  # The client may have taken that away.
    assert "sha256" in (tmp_path / "refused").read_text(encoding="utf-8").lower()


def offer(folder: Path, name: str, file: str, digest: str) -> None:
    """Write the marketplace that offers *file* of the server."""
    source = {"source": "archive", "url": f"https://{HOST}/{file}", "sha256": digest}
    plugin: dict[str, Any] = {"name": "autology", "description": "Under test", "source": source}
    result = {"name": "offered", "owner": {"name": "tests"}, "description": "Tests", "plugins": [plugin]}
    (folder / "offers" / f"{name}.json").write_text(json.dumps(result), encoding="utf-8")


def same(installed: Path, folder: Path) -> bool:
    """Say whether what is installed is what the release holds."""
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return all(
        (installed / name).read_bytes() == (folder / name).read_bytes() and os.access(installed / name, os.R_OK)
        for name in names
    )

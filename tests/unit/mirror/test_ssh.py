"""Mirroring over ssh: with a stand-in that runs the command in a local shell, and with a real server where one is."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autology.mirror import address, ssh
from autology.mirror.names import LARGEST_FILE
from autology.mirror.ssh import SshFolder
from autology.model.errors import StorageError, ValidationError
from tests.fakes.mirrored import Machine, everything_in

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in for ssh is a shell script")

STAND_IN = """\
#!/bin/sh
# Options up to --, then the host and the command, as OpenSSH takes them; the command runs in the home over there.
while [ "$1" != "--" ]; do shift; done
shift
echo "$1" >> {log}
shift
cd {home} || exit 255
export HOME={home}
exec {shell} -c "$*"
"""
SSHD = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
PidFile {folder}/pid
StrictModes no
UsePAM no
"""
CLIENT = """\
Host there
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking accept-new
  BatchMode yes
"""


class There:
    """Another machine that ssh leads to, with its home folder."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, shell: str = "sh") -> None:
        self.home = root / "there"
        self.home.mkdir()
        self.log = root / "hosts.log"
        self.ssh = root / "bin" / "ssh"
        self.ssh.parent.mkdir()
        quoted = {name: shlex.quote(str(path)) for name, path in (("home", self.home), ("log", self.log))}
        self.answer(STAND_IN.format(**quoted, shell=shell))
        patch.setenv("PATH", f"{self.ssh.parent}{os.pathsep}{os.environ['PATH']}")

    def answer(self, script: str) -> None:
        self.ssh.write_text(script, encoding="utf-8")
        self.ssh.chmod(0o755)


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> There:
    return There(tmp_path, monkeypatch)


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Machine, Machine]:
    return Machine(tmp_path / "a", "laptop"), Machine(tmp_path / "b", "desktop")


def exchanged(a: Machine, b: Machine, place: str) -> None:
    """Mirror with *place* and check that everything came across."""
    a.store("m1", "Hello — “there”.")
    a.say("s1", "one", "two")
    a.sync(place)
    report = b.sync(place)
    assert (report.memories.received, report.received.received) == (["m1"], 1)
    b.store("m1", "Hello back.")
    b.sync(place)
    a.say("s1", "three", "four")
    assert a.sync(place).memories.received == ["m1"]
    b.sync(place)
    assert b.sessions() == a.sessions()
    assert a.content("m1") == "Hello back."


@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "zsh", "fish"])
def test_two_machines_mirror_through_a_third_whatever_shell_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machines: tuple[Machine, Machine], shell: str
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    there = There(tmp_path, monkeypatch, program)
    exchanged(*machines, "ssh:ada@desk.example:a 'quoted' $folder/mirror")
    folder = there.home / "a 'quoted' $folder" / "mirror"
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")} == {0o600, 0o700}
    assert set(there.log.read_text(encoding="utf-8").split()) == {"ada@desk.example"}


def test_a_host_alone_leads_to_a_folder_in_the_home_there(there: There, machines: tuple[Machine, Machine]) -> None:
    exchanged(*machines, "ssh:desk")
    assert len(list((there.home / "autology-mirror").iterdir())) == 2


@pytest.mark.parametrize(
    "place",
    [
        "ssh:-oProxyCommand=touch evil",
        "ssh:-oProxyCommand=evil:x",
        "ssh:--:x",
        "ssh:a b",
        "ssh:a;b",
        "ssh:$(evil)",
        "ssh:`evil`",
        "ssh:a\nb",
        "ssh:",
        "ssh:@a",
        "ssh:-l@a",
        "ssh:a@-b",
        "ssh:a:x\ny",
        "ssh:a:~other/x",
    ],
)
def test_a_host_that_ssh_or_a_shell_could_take_for_something_else_is_refused(
    there: There, machines: tuple[Machine, Machine], place: str
) -> None:
    with pytest.raises(ValidationError):
        machines[0].sync(place)
    assert not there.log.exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("ssh:desk", "ssh:desk:autology-mirror"),
        ("ssh:ada@desk:~/x y", "ssh:ada@desk:x y"),
        ("ssh:desk:/srv/a:b", "ssh:desk:/srv/a:b"),
        ("ssh:[::1]:x", "ssh:[::1]:x"),
        ("x/../y", "/here/y"),
    ],
)
def test_places_are_remembered_in_one_form(given: str, kept: str) -> None:
    assert address.normalised(given, "/here") == kept
    assert address.normalised(kept, "/elsewhere") == kept


def test_a_failing_ssh_is_quoted_and_nothing_is_lost(there: There, machines: tuple[Machine, Machine]) -> None:
    a, b = machines
    working = there.ssh.read_text(encoding="utf-8")
    a.store("m1", "Text.")
    there.answer("#!/bin/sh\necho 'ssh: Could not resolve hostname desk' >&2\nexit 255\n")
    with pytest.raises(StorageError, match=r"Could not resolve hostname desk.*try `ssh desk` by hand"):
        a.sync("ssh:desk")
    # It breaks off in the middle of what it says, or of what it is told.
    there.answer(working.replace("exec sh -c", "exec timeout 0.0001 sh -c"))
    for _ in range(3):
        try:
            a.sync("ssh:desk", again=True)
        except StorageError:
            continue
    there.answer(working)
    a.sync("ssh:desk", again=True)
    b.sync("ssh:desk")
    assert b.content("m1") == "Text."
    assert not list(there.home.rglob(".incoming-*"))


def test_no_ssh_at_all_is_said(machines: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(StorageError, match="ssh is not on the PATH"):
        machines[0].sync("ssh:desk")


def test_an_answer_that_is_cut_off_is_no_file(there: There, machines: tuple[Machine, Machine]) -> None:
    a, b = machines
    a.store("m1", "Text.")
    a.sync("ssh:desk")
    working = there.ssh.read_text(encoding="utf-8")
    there.answer(working.replace('exec sh -c "$*"', 'sh -c "$*" | head -c 150'))
    with pytest.raises(StorageError, match=r"ended before everything was read|ssh ended"):
        b.sync("ssh:desk")
    there.answer(working)
    b.sync("ssh:desk", again=True)
    assert b.content("m1") == "Text."


def test_links_there_are_not_followed_and_huge_files_not_read(
    there: There, machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    a, b = machines
    a.store("m1", "Text.")
    a.sync("ssh:desk")
    own = next((there.home / "autology-mirror").iterdir())
    (tmp_path / "elsewhere").mkdir()
    shutil.move(own, tmp_path / "moved")
    own.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is a link"):
        a.sync("ssh:desk", again=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    own.unlink()
    shutil.move(tmp_path / "moved", own)
    huge = own / f"memories-00000002-{'0' * 32}.jsonl"
    huge.touch()
    os.truncate(huge, LARGEST_FILE + 1)
    assert b.sync("ssh:desk").waiting == 1
    assert b.content("m1") == "Text."


def test_more_files_than_one_connection_asks_for(
    there: There, machines: tuple[Machine, Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh, "READ_AT_ONCE", 3)
    a, b = machines
    for number in range(8):
        a.store(f"m{number}", "Text.")
        a.sync("ssh:desk")
    assert len(b.sync("ssh:desk").memories.received) == 8


def test_a_real_server_does_as_the_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machines: tuple[Machine, Machine], server: str
) -> None:
    there = There(tmp_path, monkeypatch)
    there.answer(f'#!/bin/sh\nexec {shutil.which("ssh", path="/usr/bin:/usr/local/bin")} -F {server}/config "$@"\n')
    shared = tmp_path / "far" / "mirror"
    exchanged(*machines, f"ssh:there:{shared}")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "far").rglob("*")} == {0o600, 0o700}
    assert b"Hello back" in everything_in(shared)
    assert SshFolder("there", str(tmp_path / "nowhere")).files() == {}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A folder with the configuration of an ssh client that knows a server on this machine."""
    sshd = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    keygen = shutil.which("ssh-keygen")
    if sshd is None or keygen is None:
        pytest.skip("no ssh server is installed here: a real one was not tried")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # its own separation of privileges
    folder = tmp_path / "server"
    folder.mkdir()
    for name in ("key", "host_key"):
        subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(SSHD.format(port=port, folder=folder), encoding="utf-8")
    client = CLIENT.format(port=port, folder=folder, user=getpass.getuser())
    (folder / "config").write_text(client, encoding="utf-8")
    process = subprocess.Popen(
        [sshd, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    try:
        _wait(port, process)
        yield str(folder)
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.skip("the ssh server does not start here: a real one was not tried")

"""A repository whose configuration, attributes and hooks name programs, each of which leaves a file when it is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.unit.cli_kit import PERSON, git, repository

COMMANDS = """
alias.{name} browser.evil.cmd browser.evil.path core.alternateRefsCommand core.askPass core.editor core.fsmonitor
core.gitProxy core.pager core.sshCommand credential.helper credential.https://example.com.helper diff.evil.command
diff.evil.textconv diff.external difftool.evil.cmd difftool.evil.path filter.evil.clean filter.evil.smudge
filter.worker.process gc.recentObjectsHook gpg.openpgp.program gpg.program gpg.ssh.defaultKeyCommand gpg.ssh.program
gpg.x509.program guitool.evil.cmd hook.evil.command imap.tunnel instaweb.httpd interactive.diffFilter man.evil.cmd
man.evil.path merge.evil.driver mergetool.evil.cmd mergetool.evil.path pager.{name} receive.procReceiveCommand
remote.evil.receivepack remote.evil.uploadpack sendemail.ccCmd sendemail.headerCmd sendemail.sendmailCmd
sendemail.smtpServer sendemail.toCmd sequence.editor submodule.evil.update tar.evil.command trailer.evil.cmd
trailer.evil.command uploadpack.packObjectsHook
""".split()
"""The settings that name a program, by the documentation of git 2.39 to 2.51; `{name}` is each of BUILT_IN."""
BUILT_IN = (
    "blame cat-file check-attr config diff diff-tree grep log ls-files merge-file rev-list rev-parse show".split()
)
HOOKS = (
    "applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change"
    " post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push"
    " pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction"
    " sendemail-validate update"
).split()
CHOICES = {
    "browser.evil.path": None,
    "core.untrackedCache": "true",
    "diff.tool": "evil",
    "extensions.partialClone": "evil",
    "format.pretty": "%H %G? %s",
    "help.browser": "evil",
    "hook.evil.event": "post-index-change",
    "log.diffMerges": "on",
    "log.follow": "true",
    "log.showSignature": "true",
    "merge.tool": "evil",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "remote.evil.promisor": "true",
    "status.submoduleSummary": "true",
    "submodule.recurse": "true",
    "web.browser": "evil",
}
"""Settings that name no program and have others run."""


class Hostile:
    """The repository at *root*, with the programs that it names in *programs*, which leave files in *markers*."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "hostile"
        self._programs, self._markers = folder / "programs", folder / "markers"
        for made in (self.root, self._programs, self._markers):
            made.mkdir()

    def arm(self) -> None:
        """Commit what is there, sign the commit, lose a text that only a remote has, and name all the programs."""
        attributes = "* merge=evil diff=evil filter=evil\n*.new filter=worker\n"
        (self.root / ".gitattributes").write_text(attributes, encoding="utf-8")
        repository(self.root)
        self._sign()
        config = [f"[core]\n\trepositoryFormatVersion = 1\n\thooksPath = {self._hooks()}\n"]
        keys = [key.format(name=name) for key in COMMANDS for name in (BUILT_IN if "{name}" in key else [""])]
        values = {key: str(self._program(key)) for key in keys}
        values["remote.evil.url"] = f"ext::{self._program('remote.evil.url')}"
        values |= {key: value for key, value in CHOICES.items() if value is not None}
        for key, value in values.items():
            section, _, name = key.rpartition(".")
            head, _, rest = section.partition(".")
            shell = "!" if head == "alias" or key == "submodule.evil.update" else ""
            config.append(f'[{head} "{rest}"]\n' if rest else f"[{head}]\n")
            config.append(f"\t{name} = {shell}{value}\n")
        with (self.root / ".git" / "config").open("a", encoding="utf-8") as file:
            file.write("".join(config))

    def lose(self, name: str) -> None:
        """Remove the text of the file *name*, as a partial clone has it that never fetched it."""
        blob = git(self.root, "rev-parse", f"HEAD:{name}").strip()
        (self.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    def ran(self) -> set[str]:
        """Return which programs were run, by the setting that names each or the hook's name, and forget them."""
        result = {path.name.replace("%", "/") for path in self._markers.iterdir()}
        for path in self._markers.iterdir():
            path.unlink()
        return result

    def plainly(self, *arguments: str) -> None:
        """Run git as anybody would."""
        quiet = {**os.environ, **PERSON, "GIT_CONFIG_GLOBAL": os.devnull}
        subprocess.run(
            ["git", *arguments], cwd=self.root, env=quiet, capture_output=True, stdin=subprocess.DEVNULL, timeout=60
        )

    def _sign(self) -> None:
        commit = git(self.root, "cat-file", "commit", "HEAD")
        head, _, message = commit.partition("\n\n")
        signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----"
        file = self._programs / "commit"
        file.write_bytes(f"{head}\n{signature}\n\n{message}".encode())
        made = git(self.root, "hash-object", "-t", "commit", "-w", str(file)).strip()
        git(self.root, "update-ref", "HEAD", made)

    def _hooks(self) -> Path:
        folder = self._programs / "hooks"
        for place in (folder, self.root / ".git" / "hooks"):
            place.mkdir(exist_ok=True)
            for name in HOOKS:
                self._write(place / name, name)
        return folder

    def _program(self, key: str) -> Path:
        return self._write(self._programs / key.replace("/", "%"), key.replace("/", "%"))

    def _write(self, path: Path, marker: str) -> Path:
        path.write_text(f"#!/bin/sh\n: > '{self._markers / marker}'\n", encoding="utf-8", newline="\n")
        path.chmod(0o755)
        return path

"""PrecisionMemBench's 77 cases, scored by its own tests: what is returned for a question, and nothing besides.

Its harness (src/retrieval.external.eval.test.ts) sends 35 beliefs over HTTP to a wrapper of the provider and asks for
at most 20 at a time; a case passes when its beliefs come and no other. This script is that wrapper, over MCP to the
built server: a user has a project, a scope is a tag (of notes) or part of the scope (of memories), as other wrappers
pass it to their filters. Nothing is tuned on it: our defaults, within the harness's limit.

  notes     autology_capture and autology_query
  memories  memory_store and memory_find

Theirs: README.md of the repository. Its author's own system matches aliases by rules; the others rank, and return
as many as they are asked for.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from bench.client import Server, apart, serving
from bench.published._checkouts import checkout, circumstances
from bench.published._locomo import scratch

REPOSITORY = "tenurehq/precisionMemBench"
TEST = "src/retrieval.external.eval.test.ts"
PROVIDER = {
    "envVar": "AUTOLOGY_URL",
    "defaultUrl": "http://127.0.0.1:8080",
    "seedDelayMs": 0,
    "beliefToText": "canonical_name_aliases",
    "supportsUpdate": False,
}
ROW = re.compile(r"^\| `([\w-]+)` +\| (\d+)/\d+ +\| (\d+)/77 +\| ([\d.]+) +\| ([\d.]+) ", re.MULTILINE)
"""A provider of their table: active passes, passes, precision, recall."""


def main() -> int:
    folder = checkout(REPOSITORY, TEST, "fixtures/retrieval.cases.json")
    if not (folder / "node_modules" / "ava").exists():
        print(f"the harness is not installed; run: npm --prefix {folder} install", file=sys.stderr)
        return 1
    rows = [(match[1], *match.groups()[1:]) for match in ROW.finditer((folder / "README.md").read_text("utf-8"))]
    for name, store in {"Autology, notes": Notes, "Autology, memories": Memories}.items():
        with scratch() as place:
            scores = scored(folder, Path(place), store)["retrieval"]
        means = (f"{scores[each]:.3f}" for each in ("meanPrecision", "meanRecall"))
        rows.append((name, str(scores["activeRetrievalPasses"]), str(scores["totalPassed"]), *means))
    print(f"{circumstances()}\n")
    print("| | active passes | passes of 77 | mean precision | mean recall |\n|---|---|---|---|---|")
    for row in sorted(rows, key=lambda row: -float(row[3])):
        print(f"| {' | '.join(row)} |")
    return 0


class Store:
    """A user's beliefs in a project of its own on the built server."""

    def __init__(self, folder: Path) -> None:
        project = folder / "project"
        (project / ".autology").mkdir(parents=True)
        self.server = Server(serving(), project, {**apart(folder), "CLAUDE_PROJECT_DIR": str(project)})
        self.beliefs: dict[str, str] = {}

    def add(self, text: str, scope: str, belief: str) -> None:
        raise NotImplementedError

    def search(self, query: str, scope: str, limit: int) -> list[str]:
        raise NotImplementedError

    def ask(self, tool: str, **arguments: object) -> Any:
        answer = self.server.request("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise RuntimeError(f"{tool} failed: {json.dumps(answer)[:500]}")
        return answer["structuredContent"]


class Notes(Store):
    def add(self, text: str, scope: str, belief: str) -> None:
        title = text.partition(" ")[0]  # the harness begins with the belief's name
        answer = self.ask("autology_capture", title=title, content=text, tags=[_name(scope)])
        self.beliefs[answer["id"]] = belief

    def search(self, query: str, scope: str, limit: int) -> list[str]:
        answer = self.ask("autology_query", query=query, tags=[_name(scope)], detail="brief")
        return [self.beliefs[each["node"]["id"]] for each in answer["results"][:limit]]


class Memories(Store):
    def add(self, text: str, scope: str, belief: str) -> None:
        item = {"kind": "observation", "content": text, "scope": {"project": _name(scope)}}
        answer = self.ask("memory_store", items=[item])
        self.beliefs[answer["stored_items"][0]["id"]] = belief

    def search(self, query: str, scope: str, limit: int) -> list[str]:
        answer = self.ask("memory_find", query=query, scope={"project": _name(scope)})
        return [self.beliefs[each["id"]] for each in answer["items"][:limit]]


def _name(scope: str) -> str:
    return scope.replace(":", "-")


def scored(checkout_folder: Path, place: Path, make: Callable[[Path], Store]) -> Mapping[str, Any]:
    """Run their tests against *make*'s stores, in a copy of their harness; return their report."""
    harness = place / "harness"
    for name in ("src", "fixtures"):
        shutil.copytree(checkout_folder / name, harness / name)
    shutil.copy(checkout_folder / "package.json", harness)
    (harness / "node_modules").symlink_to(checkout_folder / "node_modules")
    providers = json.loads((checkout_folder / "providers.config.json").read_text(encoding="utf-8"))
    (harness / "providers.config.json").write_text(json.dumps({**providers, "autology": PROVIDER}), encoding="utf-8")
    stores: dict[str, Store] = {}
    faults: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), _wrapper(place, make, stores, faults))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ava = [str(harness / "node_modules" / ".bin" / "ava"), TEST, "--timeout", "10m"]
    own = {"MEMORY_PROVIDER": "autology", "RESEED": "true", "AUTOLOGY_URL": f"http://127.0.0.1:{server.server_port}"}
    done = subprocess.run(ava, cwd=harness, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    server.shutdown()
    for store in stores.values():
        store.server.close()
    report = harness / "test-results" / "retrieval-report-autology.json"
    if faults:
        raise SystemExit(f"{len(faults)} requests failed, the first: {faults[0]}")
    if not report.exists():
        raise SystemExit(f"their harness ended without a report: {(done.stderr or done.stdout).strip()[-2000:]}")
    scores: Mapping[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return scores


def _wrapper(
    place: Path, make: Callable[[Path], Store], stores: dict[str, Store], faults: list[str]
) -> type[BaseHTTPRequestHandler]:
    def of(user: str) -> Store:
        if user not in stores:
            stores[user] = make(place / f"user-{len(stores)}")
        return stores[user]

    class Wrapper(BaseHTTPRequestHandler):
        def do_DELETE(self) -> None:
            self._answer({"ok": True})  # Nothing is stored before.

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                self._answer(self._outcome(of(request["user_id"]), request))
            except (RuntimeError, LookupError) as fault:
                faults.append(f"{self.path}: {fault!r}")
                raise

        def _outcome(self, store: Store, request: Mapping[str, Any]) -> object:
            if self.path == "/add":
                store.add(request["text"], request["metadata"]["scope"], request["metadata"]["beliefId"])
                return {"ok": True}
            beliefs = store.search(request["query"], request["scope"], request["limit"])
            return {"results": [{"id": belief, "memory": ""} for belief in beliefs]}

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self, body: object) -> None:
            raw = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    return Wrapper


if __name__ == "__main__":
    sys.exit(main())

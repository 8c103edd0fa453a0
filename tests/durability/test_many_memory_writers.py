"""Many processes that store memories at once: the same item is kept once, and none of the others is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autology.wire.project import Project

CLIENTS = 16
TESTS = Path(__file__).parents[1]
PATH = [str(TESTS.parent / "server"), str(TESTS.parent)]
CODE = """
import json, sys
from autology.wire.project import Project
from autology.core.memory.store import store
from tests.durability import patient
root, number, scope = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
sys.stdin.readline()
memories = Project(root).memories
same = {"kind": "observation", "content": "The same item for all of them.", **scope}
own = {"kind": "observation", "content": f"Writer {number} was here.", "id": f"own-{number}", **scope}
done = store(memories, [same, own, same])
json.dump([[o.status, o.id] for o in done.outcomes] + [p.message for p in done.problems], sys.stdout)
"""


def started(root: Path, number: int, scope: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CODE, str(root), str(number), json.dumps(scope)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(PATH)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")


@pytest.mark.parametrize("where", ["one project", "many projects"])
def test_sixteen_clients_that_store_the_same_item_at_once_store_it_once(tmp_path: Path, where: str) -> None:
    one = where == "one project"
    roots = [tmp_path / ("shop" if one else f"shop-{number}") for number in range(CLIENTS)]
    for root in roots:
        root.mkdir(exist_ok=True)
    scope = {} if one else {"scope": {"org": "acme"}}
    clients = [started(root, number, scope) for number, root in enumerate(roots)]
    for client in clients:
        assert client.stdin
        client.stdin.write("go\n")
        client.stdin.flush()
    result = [json.loads(client.communicate(timeout=600)[0]) for client in clients]
    firsts = [answer[0] for answer in result]
    assert sorted(status for status, _ in firsts) == ["skipped_dedupe"] * (CLIENTS - 1) + ["stored"], result
    assert len({id for _, id in firsts}) == 1
    assert [answer[1] for answer in result] == [["stored", f"own-{number}"] for number in range(CLIENTS)]
    assert all(answer[2] == ["skipped_dedupe", firsts[0][1]] for answer in result)
    folder = (roots[0] if one else Path(os.environ["AUTOLOGY_DATA_DIR"])) / ".autology" / "memory" / "observation"
    assert len(list(folder.iterdir())) == CLIENTS + 1
    memories = Project(str(roots[0])).memories
    memories.refresh(walk=True)
    assert memories.faults() == []

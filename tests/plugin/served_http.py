"""The real server over HTTP, for the protocol's conformance suite alone: `python -m tests.plugin.served_http PROJECT`.

The suite speaks HTTP only, and calls tools and reads resources by names of its own. They are added here, and go the way
of ours: what is tried is the server that users run, not a sample.
"""

from __future__ import annotations

import socket
import sys
import time

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext

from autology.model.errors import AutologyError
from autology.tools import resources, server
from autology.tools.arguments import Arguments
from autology.tools.calls import Calls
from autology.tools.project import ServedProject
from autology.tools.tool import Answer, Tool

TEXT = "This is a simple text response for testing."
TEXTS = {
    "test://static-text": "This is the content of the static text resource.",
    "test://watched-resource": "Watched resource content",
}
TEMPLATE = "test://template/{id}/data"


class Nothing(Arguments):
    """Takes nothing."""


def say(project: ServedProject, given: Nothing) -> Answer:
    return TEXT


def fail(project: ServedProject, given: Nothing) -> Answer:
    raise AutologyError("This tool intentionally returns an error for testing")


def last(project: ServedProject, given: Nothing) -> Answer:
    """Take long enough to be asked how far it is, three times."""
    for done in range(4):
        project.reading = f"step {done} of 3"
        time.sleep(0.9)
    return "done"


ADDED = (
    Tool("test_simple_text", "Text", "Says a text.", Nothing, say, writes=False),
    Tool("test_error_handling", "Error", "Fails.", Nothing, fail, writes=False),
    Tool("test_tool_with_progress", "Progress", "Takes its time.", Nothing, last, writes=False),
)


def read(project: ServedProject, uri: str) -> types.ReadResourceResult:
    text = TEXTS.get(uri)
    if uri.startswith("test://template/"):
        text = f'{{"id": "{uri.split("/")[3]}", "templateTest": true, "data": "Data for ID: {uri.split("/")[3]}"}}'
    if text is None:
        return ours(project, uri)
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])


ours = resources.read


async def listed(
    context: ServerRequestContext[Calls], params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    added = [types.Resource(uri=uri, name=uri, mime_type="text/plain") for uri in TEXTS]
    return types.ListResourcesResult(resources=[*resources.RESOURCES, *added])


def main(folder: str) -> None:
    """Serve *folder* on a free port, which is printed, until the process is ended."""
    resources.read = read
    server.TOOLS = (*ADDED, *server.TOOLS)
    made = server.server(ServedProject(folder))
    made.add_request_handler("resources/list", types.PaginatedRequestParams, listed)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.listen()
        print(port, flush=True)
        running = uvicorn.Server(uvicorn.Config(made.streamable_http_app(), log_level="error"))
        running.run([free])


if __name__ == "__main__":
    main(sys.argv[1])

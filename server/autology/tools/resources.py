"""Resources of the server: the statistics, every node, every document."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from autology.model.entry import DOCUMENT
from autology.model.errors import AutologyError
from autology.text.notes.secret_markers import marked
from autology.tools.errors import unknown_resource
from autology.wire.project import Project

NODE, DOCUMENT_ = "autology://node/", "autology://document/"
STATS = ("amalfa://stats/summary", "autology://stats/summary")
COMPLETIONS = 100
"""Values in one completion: the maximum of the protocol."""

RESOURCES = [
    types.Resource(
        uri=uri,
        name="stats-summary",
        title="Counts",
        description="How many nodes, documents, links and embeddings there are, and the index's size in bytes.",
        mime_type="application/json",
    )
    for uri in STATS
]
TEMPLATES = [
    types.ResourceTemplate(
        uri_template=f"{NODE}{{id}}",
        name="node",
        title="A knowledge node",
        description="A node's markdown, by its id.",
        mime_type="text/markdown",
    ),
    types.ResourceTemplate(
        uri_template=f"{DOCUMENT_}{{+id}}",
        name="document",
        title="A document",
        description="A document's markdown, by its id.",
        mime_type="text/markdown",
    ),
]


def read(project: Project, uri: str) -> types.ReadResourceResult:
    """Return the resource at *uri*. Raises MCPError if there is none."""
    try:
        if uri in STATS:
            text, mime_type = _stats(project), "application/json"
        elif uri.startswith((NODE, DOCUMENT_)):
            text, mime_type = _text(project, uri), "text/markdown"
        else:
            raise unknown_resource(uri)
    except AutologyError:
        raise unknown_resource(uri) from None
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)])


def state(project: Project, uri: str) -> str | None:
    """Return a hash of the text at *uri*; None if there is none."""
    try:
        [content] = read(project, uri).contents
    except MCPError:
        return None
    text = content.text if isinstance(content, types.TextResourceContents) else ""
    return hashlib.sha256(text.encode()).hexdigest()


def complete(project: Project, params: types.CompleteRequestParams) -> types.CompleteResult:
    """Return the ids that begin with the typed text, then those that contain it."""
    uri = params.ref.uri if isinstance(params.ref, types.ResourceTemplateReference) else ""
    templates = {template.uri_template for template in TEMPLATES}
    if uri not in templates or params.argument.name != "id":
        return types.CompleteResult(completion=types.Completion(values=[]))
    try:
        ids = _ids(project, documents=uri.startswith(DOCUMENT_))
    except AutologyError:
        ids = []
    typed = params.argument.value.lower()
    first = [id for id in ids if id.startswith(typed)]
    matches = first + [id for id in ids if typed in id and not id.startswith(typed)]
    shown = matches[:COMPLETIONS]
    values = types.Completion(values=shown, total=len(matches), has_more=len(matches) > len(shown))
    return types.CompleteResult(completion=values)


def _ids(project: Project, documents: bool) -> list[str]:
    library = project.library
    index = library.graph.index
    if documents:
        return library.read_current(lambda: sorted(named.id for named in index.named(DOCUMENT)))
    return library.read_current(lambda: sorted(named.id for named in index.named("node")))


def _stats(project: Project) -> str:
    from autology.core.documents import stats
    from autology.render import statistics

    return json.dumps(statistics.contents(stats.stats(project.library), project.index_size), indent=2)


def _text(project: Project, uri: str) -> str:
    from autology.core.documents.lookup import find

    library = project.library
    wants_document = uri.startswith(DOCUMENT_)
    id = unquote(uri.removeprefix(DOCUMENT_ if wants_document else NODE))

    def text() -> str:
        source = find(library, id)
        if (source.kind == DOCUMENT) is not wants_document:
            raise unknown_resource(uri)
        return marked(library.stored(source).entry.text).text

    return library.read_current(text)

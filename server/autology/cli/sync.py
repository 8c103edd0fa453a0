"""``autology sync``: update the index from the files."""

from __future__ import annotations

import argparse

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.adoption import double_sidecars, renamed
from autology.core.conversations.conversations import Conversations
from autology.core.nodes import graph_index_file
from autology.core.nodes.graph import Graph
from autology.model.entry import DOCUMENT, MEMORY
from autology.model.errors import EncodingError
from autology.text.language.plural import counted

EXAMPLES = """\
autology sync
autology sync --json"""
JSON = """\
{read, nodes, relations, documents, memories, unreadable, embedded?, degraded?,
 conversations: {read, chunks, unread: [reasons]}}:
 counts of files and transcripts indexed or removed by this run, of entries in the indexes, and of passages embedded
 by this run"""
WRITES = True


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Index changes, including those of past sessions; write generated files."""
    project = project_of(args)
    graph = project.graph
    has_folder = graph.files.exists()
    read = relations = 0
    if has_folder:
        with screen.progress("reading notes") as progress:
            read = graph.refresh(walk=True, progress=progress)
            renamed.follow(graph)
            double_sidecars.join(graph)
            project.date_records()
            read += graph.refresh(progress=progress)
        relations = graph_index_file.write(graph)
    library = project.library
    with screen.progress("reading documents") as progress:
        read += library.refresh(walk=True, progress=progress)
    memories = project.memories
    read += memories.refresh(walk=True)
    conversations = project.conversations
    with screen.progress("reading sessions") as progress:
        sessions = conversations.refresh(progress)
    with screen.progress("preparing semantic search") as progress:
        graph.encode(progress)
    conversations.encode()
    chunks = sum(conversations.index.chunk_counts().values())
    embedded, fault = _embed(graph, conversations, screen)
    counts = graph.index.counts()
    unreadable_documents, unreadable_items = graph.index.faults(DOCUMENT), memories.faults()
    nodes, documents = sum(counts.nodes.values()), len(graph.index.stamps(DOCUMENT)) - len(unreadable_documents)
    items = len(graph.index.stamps(MEMORY)) - len(unreadable_items)
    unreadable = counts.faults + len(unreadable_documents) + len(unreadable_items)
    if screen.json:
        totals = {"nodes": nodes, "relations": relations, "documents": documents, "memories": items}
        conversation_counts = {"read": sessions, "chunks": chunks, "unread": conversations.failed}
        extra = ({"embedded": embedded} if embedded else {}) | ({"degraded": fault} if fault else {})
        screen.data({"read": read, **totals, "unreadable": unreadable, **extra, "conversations": conversation_counts})
        return 0
    if chunks:
        new = f"{counted(sessions, 'transcript')} read" if sessions else "up to date"
        screen.line(f"✓ Sessions: {new} ({counted(chunks, 'passage')}).")
    for reason in conversations.failed:
        screen.line(f"✗ cannot be read: {screen.safe(reason, 500)}", "yellow")
    if not has_folder and not documents and not items:
        screen.line("There is no .autology folder and no document yet, so there is nothing to index.")
        return 0
    outcome = f"{counted(read, 'file')} indexed or removed" if read else "up to date"
    parts = [counted(nodes, "note"), counted(relations, "relation"), counted(documents, "document")]
    parts += [f"{items:,} {'memory' if items == 1 else 'memories'}"] if items else []
    screen.line(f"✓ Files: {outcome}; the index contains {', '.join(parts[:-1])} and {parts[-1]}.")
    if embedded:
        screen.line(f"✓ {counted(embedded, 'passage')} embedded with {graph.index.encoder_state().name}.")
    if fault:
        screen.line(f"Note: {screen.safe(fault, 500)}")
    if unreadable:
        screen.line(f"{counted(unreadable, 'file')} cannot be read: run `autology doctor` for details.")
    return 0


def _embed(graph: Graph, conversations: Conversations, screen: Screen) -> tuple[int, str]:
    """Embed passages with the selected model; return their number, and why the others could not be embedded."""
    try:
        with screen.progress("embedding passages") as progress:
            embedded = graph.embed_all(progress)
        with screen.progress("embedding past sessions") as progress:
            embedded += conversations.embed_all(progress)
    except EncodingError as error:
        return 0, error.message
    return embedded, graph.index.encoder_state().fault

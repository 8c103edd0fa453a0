"""``autology export site``: write the notes as a read-only web site."""

from __future__ import annotations

import argparse
import os

from autology.cli.export import report_left_out
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.nodes.site import site
from autology.model.node import NodeType
from autology.text.language.plural import counted

EXAMPLES = """\
autology export site public
autology export site public --all --name "Our decisions\""""
JSON = (
    "{file, notes, decisions, documents, links, images, bytes, secrets: [kinds redacted], unreadable, images_left_out}"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder, the name and what is included."""
    about = "the folder of the site: new, empty, or that of an earlier export, which is replaced"
    parser.add_argument("folder", metavar="DIR", help=about)
    parser.add_argument("--all", action="store_true", help="include documents and their links")
    parser.add_argument("--name", help="the site's name; default: the project folder's")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Write the site; the same notes always give the same file."""
    from autology.render.site.html import GENERATOR, html
    from autology.wire import site_folder

    project = project_of(args)
    site_folder.check(args.folder, GENERATOR)
    screen.begin("reading the notes")
    exported = site(project.atlas, args.all, project.images)
    name = args.name or os.path.basename(project.root) or "Notes"
    data = html(exported, name).encode("utf-8", "replace")
    file = site_folder.write(args.folder, data, GENERATOR, exported.images.files)
    types = [page.type for page in exported.pages]
    counts = {
        "notes": sum(type in set(NodeType) for type in types),
        "decisions": types.count(NodeType.DECISION),
        "documents": types.count("document"),
        "links": len(exported.graph.links),
        "images": len(exported.images.addresses),
    }
    if screen.json:
        details = {"bytes": len(data), "secrets": list(exported.secrets), "unreadable": exported.unreadable}
        details["images_left_out"] = exported.images.left_out
        screen.data({"file": file, **counts, **details})
        return 0
    documents = f", {counted(counts['documents'], 'document')}" if args.all else ""
    images = f", {counted(counts['images'], 'image')}" if counts["images"] else ""
    summary = f"{counted(counts['notes'], 'note')}{documents}, {counted(counts['links'], 'link')}{images}: {file}"
    screen.line(f"✓ {screen.safe(summary, 500)}", "green")
    report_left_out(exported.secrets, exported.unreadable, screen)
    if left_out := exported.images.left_out:
        are = "images are" if left_out > 1 else "image is"
        screen.say(f"{left_out:,} {are} not included: missing, too large, no image, or with a secret in it")
    return 0

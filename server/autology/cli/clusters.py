"""``autology clusters``: show groups of related notes, and the notes that connect them."""

from __future__ import annotations

import argparse

from autology.cli.project import atlas_of
from autology.cli.screen import Screen
from autology.core.atlas.atlas import TAG
from autology.core.atlas.clusters import Cluster, clusters
from autology.model.argument_limits import HIGHEST_RESOLUTION, LOWEST_RESOLUTION, RESOLUTION
from autology.text.language.plural import counted

EXAMPLES = """\
autology clusters
autology clusters --resolution 2
autology clusters --json | jq '.clusters[].label'"""
JSON = """\
{clusters: [{number, label, size, cohesion, types, members: [{id, title, type}], more_members?,
 bridges: [{id, title, type, leads_to}]}], total, alone, modularity, resolution}"""
MEMBERS_SHOWN = 6
BAR_WIDTH = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the resolution."""
    parser.add_argument(
        "--resolution",
        type=float,
        default=RESOLUTION,
        metavar=f"{LOWEST_RESOLUTION:g}-{HIGHEST_RESOLUTION:g}",
        help="above 1: more and smaller clusters",
    )


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the clusters, largest first."""
    screen.begin("reading the graph")
    result = clusters(atlas_of(args), args.resolution)
    if screen.json:
        from autology.render.graph import data

        screen.data(data.clusters(result))
        return 0
    for cluster in result.clusters:
        _show(cluster, screen)
    if result.total > len(result.clusters):
        screen.line(f"… and {result.total - len(result.clusters):,} more, smaller ones.")
    if not result.clusters:
        screen.line("No links yet. `autology relate` links notes, [[wiki links]] link documents.")
    elif result.alone:
        screen.line(f"{result.alone:,} {'is' if result.alone == 1 else 'are'} in no cluster, without links.")
    return 0


def _show(cluster: Cluster, screen: Screen) -> None:
    filled = round(BAR_WIDTH * cluster.cohesion)
    label = screen.safe(", ".join(cluster.label)) or "(no words)"
    facts = f"{cluster.size:,} members, cohesion {'█' * filled}{'░' * (BAR_WIDTH - filled)} {cluster.cohesion:.2f}"
    screen.line(f"{cluster.number}. {screen.styled(label, 'bold')}  {screen.styled(facts, 'cyan')}")
    for member in cluster.members[:MEMBERS_SHOWN]:
        screen.line(f"   {screen.safe(member.title)} {screen.styled(f'({member.type})', 'dim')}")
    tags = cluster.types.get(TAG, 0)
    more = max(0, cluster.size - tags - min(MEMBERS_SHOWN, len(cluster.members)))
    rest = [*([f"{more:,} more"] if more else []), *([counted(tags, "tag")] if tags else [])]
    if rest:
        screen.line(f"   … and {' and '.join(rest)}", "dim")
    for bridge in cluster.bridges[:2]:
        neighbours = ", ".join(map(str, bridge.leads_to[:8]))
        screen.line(f"   {screen.styled('⇄', 'yellow')} {screen.safe(bridge.vertex.title)} leads to {neighbours}")
    screen.line()

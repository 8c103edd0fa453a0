// The graph as the canvas needs it, from the server's data.

import {Links} from './links.js'

/** Return the part of *data* within two links of a node, which is its first, nearest first and at most *most*. */
export function dataAround(data, start, most) {
  const links = new Links(data.nodes.length, data.links)
  const shown = [...links.neighbourhood(start, 2, () => true)].slice(0, most)
  const numbers = new Map(shown.map((node, number) => [node, number]))
  const flat = []
  for (const node of shown) {
    for (const link of links.touching(node)) {
      const ends = [links.source[link], links.target[link]]
      if (ends[0] === node && numbers.has(ends[1])) flat.push(numbers.get(ends[0]), links.type[link], numbers.get(ends[1]))
    }
  }
  return {...data, nodes: shown.map((node) => data.nodes[node]), links: flat, communities: {}, similar: null}
}

/**
 * Return {nodes, links, types, tags, folders, communities, positions, …} of *data* in the server's format. `similar` are
 * the pairs of similar nodes that are shown, none at first; `pairs` are all of them, or null if they are not known.
 */
export function readGraph(data) {
  const links = new Links(data.nodes.length, data.links)
  const communities = Object.entries(data.communities).map(([number, label]) => ({
    number: Number(number),
    name: label.join(', ') || `Cluster ${number}`,
    nodes: [],
  }))
  const byNumber = new Map(communities.map((community) => [community.number, community]))
  data.nodes.forEach((node, number) => byNumber.get(node.community)?.nodes.push(number))
  const isLinked = Uint8Array.from(data.nodes, (_, node) => (links.hasNeighbour(node) ? 1 : 0))
  const byTitle = (one, other) => data.nodes[one].title.localeCompare(data.nodes[other].title)
  return {
    nodes: data.nodes,
    links,
    similar: new Links(data.nodes.length, []),
    pairs: pairsOf(data),
    isSparse: data.sparse,
    types: data.types,
    tags: data.tags,
    folders: data.folders,
    communityOf: Uint32Array.from(data.nodes, (node) => node.community),
    communities: communities.filter((community) => community.nodes.length),
    clusterNames: new Map(communities.map(({number, name}) => [number, name])),
    isLinked,
    unlinked: [...data.nodes.keys()].filter((node) => !isLinked[node]).sort(byTitle),
    positions: new Float32Array(2 * data.nodes.length),
    boxes: [], // of the groups; the layout fills them
  }
}

/** Return the pairs of similar nodes of *data*, as links of one type; null if they are not known. */
export function pairsOf({nodes, similar}) {
  if (!similar) return null
  const flat = []
  for (let at = 0; at < similar.length; at += 2) flat.push(similar[at], 0, similar[at + 1])
  return new Links(nodes.length, flat)
}

/** Return the nodes that are linked to *node*, or similar to it as far as that is shown; each once. */
export function drawnBeside(graph, node) {
  return [...new Set([...graph.links.neighbours(node), ...graph.similar.neighbours(node)])]
}

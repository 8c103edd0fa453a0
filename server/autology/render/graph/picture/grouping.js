// Groups of nodes: by cluster, folder, tag or type.

const MAX_FOLDERS = 30 // boxes of folders; deeper folders are joined until at most so many are left

export const GROUPINGS = {cluster: 'Cluster', folder: 'Folder', tag: 'Tag', type: 'Type'}

/**
 * Return the groups of *graph*, as {name, nodes, isRest}, largest first; *by* is a key of GROUPINGS. The nodes without
 * a tag or cluster are the rest.
 */
export function groupsOf(graph, by) {
  const names = {cluster: clusterNames, folder: folderNames, tag: tagNames, type: typeNames}[by](graph)
  const groups = new Map()
  names.forEach((name, node) => {
    if (!groups.has(name)) groups.set(name, {name: name ?? `(no ${by})`, nodes: [], isRest: name === null})
    groups.get(name).nodes.push(node)
  })
  return [...groups.values()].sort(
    (one, other) => other.nodes.length - one.nodes.length || one.name.localeCompare(other.name),
  )
}

/** Return the name of a folder to be shown. */
export function folderName(folder) {
  return folder || '(top folder)'
}

function typeNames(graph) {
  return graph.nodes.map((node) => node.type)
}

function clusterNames(graph) {
  const names = new Map(graph.communities.map(({number, name}) => [number, name]))
  return graph.nodes.map((node) => names.get(node.community) ?? null)
}

function folderNames(graph) {
  const paths = graph.folders.map((folder) => folder.split('/'))
  const deepest = Math.max(1, ...paths.map((path) => path.length))
  const cut = (depth) => paths.map((path) => path.slice(0, depth).join('/'))
  let names = cut(1)
  for (let depth = 2; depth <= deepest; depth++) {
    const deeper = cut(depth)
    if (new Set(deeper).size > MAX_FOLDERS) break
    names = deeper
  }
  return graph.nodes.map((node) => folderName(names[node.folder]))
}

/** A node is in the group of its most common tag, but not of one that most nodes have, if it has another. */
function tagNames(graph) {
  const counts = new Map()
  for (const node of graph.nodes) for (const tag of node.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const rank = (tag) => (counts.get(tag) > graph.nodes.length / 2 ? 0 : counts.get(tag))
  return graph.nodes.map((node) => {
    if (!node.tags.length) return null
    return graph.tags[node.tags.reduce((best, tag) => (rank(tag) > rank(best) ? tag : best))]
  })
}

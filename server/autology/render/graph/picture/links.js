// The links of a graph: adjacency, neighbourhoods and shortest paths.

/** The links of a graph of *size* nodes, given as source, type, target, source, type, target, … */
export class Links {
  constructor(size, flat) {
    this.count = flat.length / 3
    this.source = new Uint32Array(this.count)
    this.type = new Uint16Array(this.count)
    this.target = new Uint32Array(this.count)
    this.degree = new Uint32Array(size)
    for (let link = 0; link < this.count; link++) {
      this.source[link] = flat[3 * link]
      this.type[link] = flat[3 * link + 1]
      this.target[link] = flat[3 * link + 2]
      this.degree[this.source[link]]++
      this.degree[this.target[link]]++
    }
    this.offsets = new Uint32Array(size + 1)
    for (let node = 0; node < size; node++) this.offsets[node + 1] = this.offsets[node] + this.degree[node]
    const cursor = this.offsets.slice()
    this.incident = new Uint32Array(2 * this.count)
    for (let link = 0; link < this.count; link++) {
      this.incident[cursor[this.source[link]]++] = link
      this.incident[cursor[this.target[link]]++] = link
    }
  }

  /** Return the indexes of the links that start or end at *node*. */
  touching(node) {
    return this.incident.subarray(this.offsets[node], this.offsets[node + 1])
  }

  /** Return the nodes that *node* is linked to by links that *acceptsLink* allows, each once, without itself. */
  neighbours(node, acceptsLink = () => true) {
    const others = new Set()
    for (const link of this.touching(node)) if (acceptsLink(link)) others.add(this.otherEnd(link, node))
    others.delete(node)
    return [...others]
  }

  /** Whether a node is linked to another than itself. */
  hasNeighbour(node) {
    return this.touching(node).some((link) => this.source[link] !== this.target[link])
  }

  /** Return the other end of a link. */
  otherEnd(link, node) {
    return this.source[link] === node ? this.target[link] : this.source[link]
  }

  /** Return the nodes within *steps* of *start*, including itself, over links that *acceptsLink* allows. */
  neighbourhood(start, steps, acceptsLink) {
    const visited = new Set([start])
    let frontier = [start]
    for (let step = 0; step < steps; step++) {
      const next = []
      for (const node of frontier) {
        for (const other of this.neighbours(node, acceptsLink)) {
          if (visited.has(other)) continue
          visited.add(other)
          next.push(other)
        }
      }
      frontier = next
    }
    return visited
  }

  /** Return the nodes of a shortest path over links that *acceptsLink* allows, either way; null if there is none. */
  shortestPath(start, goal, acceptsLink) {
    const predecessors = new Map([[start, start]])
    let frontier = [start]
    while (frontier.length && !predecessors.has(goal)) {
      const next = []
      for (const node of frontier) {
        for (const other of this.neighbours(node, acceptsLink)) {
          if (predecessors.has(other)) continue
          predecessors.set(other, node)
          next.push(other)
        }
      }
      frontier = next
    }
    if (!predecessors.has(goal)) return null
    const path = [goal]
    while (path.at(-1) !== start) path.push(predecessors.get(path.at(-1)))
    return path.reverse()
  }
}

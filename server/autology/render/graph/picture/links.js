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

  /** Return the other end of a link. */
  otherEnd(link, node) {
    return this.source[link] === node ? this.target[link] : this.source[link]
  }

  /** Return the nodes within *steps* of *start*, including itself, that *accepts* allows. */
  neighbourhood(start, steps, accepts) {
    const visited = new Set([start])
    let frontier = [start]
    for (let step = 0; step < steps; step++) {
      const next = []
      for (const node of frontier) {
        for (const link of this.touching(node)) {
          const other = this.otherEnd(link, node)
          if (!visited.has(other) && accepts(other)) {
            visited.add(other)
            next.push(other)
          }
        }
      }
      frontier = next
    }
    return visited
  }

  /** Return the nodes of a shortest undirected path, including both ends; null if there is none. */
  shortestPath(start, goal, accepts) {
    const predecessors = new Map([[start, start]])
    let frontier = [start]
    while (frontier.length && !predecessors.has(goal)) {
      const next = []
      for (const node of frontier) {
        for (const link of this.touching(node)) {
          const other = this.otherEnd(link, node)
          if (!predecessors.has(other) && (accepts(other) || other === goal)) {
            predecessors.set(other, node)
            next.push(other)
          }
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

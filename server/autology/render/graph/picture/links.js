// Who is linked with whom: neighbours, what lies around a node, and a shortest way between two.

/** The links of a graph of *size* nodes, given as source, type, target, source, type, target, … */
export class Links {
  constructor(size, flat) {
    this.many = flat.length / 3
    this.source = new Uint32Array(this.many)
    this.type = new Uint16Array(this.many)
    this.target = new Uint32Array(this.many)
    this.degree = new Uint32Array(size)
    for (let at = 0; at < this.many; at++) {
      this.source[at] = flat[3 * at]
      this.type[at] = flat[3 * at + 1]
      this.target[at] = flat[3 * at + 2]
      this.degree[this.source[at]]++
      this.degree[this.target[at]]++
    }
    this.offsets = new Uint32Array(size + 1)
    for (let node = 0; node < size; node++) this.offsets[node + 1] = this.offsets[node] + this.degree[node]
    const next = this.offsets.slice()
    this.held = new Uint32Array(2 * this.many)
    for (let at = 0; at < this.many; at++) {
      this.held[next[this.source[at]]++] = at
      this.held[next[this.target[at]]++] = at
    }
  }

  /** Return the numbers of the links that begin or end at *node*. */
  of(node) {
    return this.held.subarray(this.offsets[node], this.offsets[node + 1])
  }

  /** Return the other end of a link. */
  other(link, node) {
    return this.source[link] === node ? this.target[link] : this.source[link]
  }

  /** Return the nodes within *steps* of *start*, itself included, among those that *passes* lets through. */
  around(start, steps, passes) {
    const found = new Set([start])
    let front = [start]
    for (let step = 0; step < steps; step++) {
      const reached = []
      for (const node of front) {
        for (const link of this.of(node)) {
          const other = this.other(link, node)
          if (!found.has(other) && passes(other)) {
            found.add(other)
            reached.push(other)
          }
        }
      }
      front = reached
    }
    return found
  }

  /** Return the nodes of a shortest way, both ends included, links followed either way; null where there is none. */
  path(start, goal, passes) {
    const came = new Map([[start, start]])
    let front = [start]
    while (front.length && !came.has(goal)) {
      const reached = []
      for (const node of front) {
        for (const link of this.of(node)) {
          const other = this.other(link, node)
          if (!came.has(other) && (passes(other) || other === goal)) {
            came.set(other, node)
            reached.push(other)
          }
        }
      }
      front = reached
    }
    if (!came.has(goal)) return null
    const way = [goal]
    while (way.at(-1) !== start) way.push(came.get(way.at(-1)))
    return way.reverse()
  }
}

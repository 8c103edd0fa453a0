// Where the nodes stand: communities as discs beside those that they are linked with, linked nodes near each other.
// The same graph always gives the same picture: nothing is left to chance.

const GOLDEN = Math.PI * (3 - Math.sqrt(5))
const ROOMY = 150 // nodes linked with nothing that still find room for their titles
const NEAR = 2 // how far a node pushes others, the distance between neighbours being 1

/** Return where the nodes stand at first: x of node n at 2n, y at 2n + 1. */
export function placed(size, links, communityOf) {
  const at = new Float32Array(2 * size)
  const groups = grouped(size, links, communityOf)
  const discs = arranged(groups, weights(groups, size, links), links)
  groups.forEach((group, number) => {
    const [x, y] = discs[number]
    group.forEach((node, rank) => {
      const far = Math.sqrt(rank + 0.5) * spread(group, links)
      at[2 * node] = x + far * Math.cos(rank * GOLDEN)
      at[2 * node + 1] = y + far * Math.sin(rank * GOLDEN)
    })
  })
  return at
}

/** Move the nodes from where they were placed until they rest; stops between rounds, for whoever shows it meanwhile. */
export function* settled(at, links, communityOf, rounds) {
  const size = at.length / 2
  const push = new Float32Array(2 * size)
  const middles = centres(at, communityOf)
  for (let turn = 0; turn < rounds; turn++) {
    push.fill(0)
    apart(at, push)
    together(at, push, links, communityOf)
    const heat = 0.6 * (1 - turn / rounds) + 0.02
    for (let node = 0; node < size; node++) {
      const middle = 2 * communityOf[node]
      let x = push[2 * node]
      let y = push[2 * node + 1]
      if (communityOf[node]) {
        x += 0.015 * (middles[middle] - at[2 * node])
        y += 0.015 * (middles[middle + 1] - at[2 * node + 1])
      }
      const far = Math.hypot(x, y)
      const step = far > heat ? heat / far : 1
      at[2 * node] += x * step
      at[2 * node + 1] += y * step
    }
    yield turn
  }
}

/** Return the groups, each with its best linked nodes first; what stands alone is one group, the last. */
function grouped(size, links, communityOf) {
  const found = new Map()
  for (let node = 0; node < size; node++) {
    const key = communityOf[node] || (links.degree[node] ? -1 : -2)
    if (!found.has(key)) found.set(key, [])
    found.get(key).push(node)
  }
  const order = (key) => (key > 0 ? key : 1e9 - key)
  return [...found.keys()]
    .sort((one, other) => order(one) - order(other))
    .map((key) => found.get(key).sort((one, other) => links.degree[other] - links.degree[one] || one - other))
}

/** Return how far apart the nodes of a group begin: what is linked with nothing leaves room for its titles. */
function spread(group, links) {
  return links.degree[group[0]] || group.length > ROOMY ? 0.95 : 2
}

/** Return how strongly each group is linked with each other one. */
function weights(groups, size, links) {
  const of = new Uint32Array(size)
  groups.forEach((group, number) => group.forEach((node) => (of[node] = number)))
  const found = groups.map(() => new Map())
  for (let link = 0; link < links.many; link++) {
    const one = of[links.source[link]]
    const other = of[links.target[link]]
    if (one === other) continue
    found[one].set(other, (found[one].get(other) || 0) + 1)
    found[other].set(one, (found[other].get(one) || 0) + 1)
  }
  return found
}

/** Return the middle of each group's disc: beside those that it is linked with, on nobody else's. */
function arranged(groups, linked, links) {
  const radius = groups.map((group) => Math.sqrt(group.length) * spread(group, links) + 1.2)
  const discs = []
  groups.forEach((_, number) => {
    let x = 0
    let y = 0
    let whole = 0
    for (const [other, weight] of linked[number]) {
      if (other >= number) continue
      x += discs[other][0] * weight
      y += discs[other][1] * weight
      whole += weight
    }
    discs.push(freeSpot(whole ? x / whole : 0, whole ? y / whole : 0, number, discs, radius))
  })
  return discs
}

function freeSpot(x, y, number, discs, radius) {
  for (let step = 0; ; step++) {
    const far = 0.9 * Math.sqrt(step) * Math.max(1, radius[number] / 4)
    const spot = [x + far * Math.cos(step * GOLDEN), y + far * Math.sin(step * GOLDEN)]
    const taken = discs.some(
      (disc, other) => Math.hypot(disc[0] - spot[0], disc[1] - spot[1]) < radius[other] + radius[number],
    )
    if (!taken) return spot
  }
}

function centres(at, communityOf) {
  const sums = new Float32Array(2 * (communityOf.reduce((most, each) => Math.max(most, each), 0) + 1))
  const many = new Uint32Array(sums.length / 2)
  for (let node = 0; node < communityOf.length; node++) {
    sums[2 * communityOf[node]] += at[2 * node]
    sums[2 * communityOf[node] + 1] += at[2 * node + 1]
    many[communityOf[node]]++
  }
  return sums.map((sum, place) => sum / (many[place >> 1] || 1))
}

/** Add what pushes each node from those within two distances of it. */
function apart(at, push) {
  const size = at.length / 2
  const cells = new Map()
  const cellOf = (x, y) => (Math.floor(x / NEAR) + 32768) * 65536 + Math.floor(y / NEAR) + 32768
  for (let node = 0; node < size; node++) {
    const cell = cellOf(at[2 * node], at[2 * node + 1])
    const held = cells.get(cell)
    if (held) held.push(node)
    else cells.set(cell, [node])
  }
  const beside = [0, 1, 65535, 65536, 65537] // each pair of cells once
  for (const [cell, members] of cells) {
    for (const step of beside) {
      const others = step ? cells.get(cell + step) : members
      if (!others) continue
      for (let one = 0; one < members.length; one++) {
        for (let other = step ? 0 : one + 1; other < others.length; other++)
          pushed(at, push, members[one], others[other])
      }
    }
  }
}

function pushed(at, push, one, other) {
  let x = at[2 * one] - at[2 * other]
  let y = at[2 * one + 1] - at[2 * other + 1]
  let square = x * x + y * y
  if (square > NEAR * NEAR) return
  if (square < 1e-4) {
    x = 0.01 * (one - other > 0 ? 1 : -1)
    y = 0.01
    square = 1e-2
  }
  const force = 0.35 / square
  push[2 * one] += x * force
  push[2 * one + 1] += y * force
  push[2 * other] -= x * force
  push[2 * other + 1] -= y * force
}

/** Add what pulls linked nodes together: less where a node has many links, hardly between communities. */
function together(at, push, links, communityOf) {
  for (let link = 0; link < links.many; link++) {
    const one = links.source[link]
    const other = links.target[link]
    const x = at[2 * other] - at[2 * one]
    const y = at[2 * other + 1] - at[2 * one + 1]
    const within = communityOf[one] === communityOf[other] ? 0.18 : 0.004
    const pull = within / Math.sqrt(Math.min(links.degree[one], links.degree[other]))
    push[2 * one] += x * pull
    push[2 * one + 1] += y * pull
    push[2 * other] -= x * pull
    push[2 * other + 1] -= y * pull
  }
}

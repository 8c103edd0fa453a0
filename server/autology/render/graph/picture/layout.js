// Force-directed layout: each community is a disc near the communities it is linked to, and linked nodes attract each
// other. It is deterministic: the same graph always gets the same layout.

const GOLDEN = Math.PI * (3 - Math.sqrt(5))
const MAX_SPACED = 150 // up to so many unlinked nodes are spaced widely, so that their titles fit
const REPULSION_RADIUS = 2 // in units of the distance between neighbours

/** Return the initial positions: x of node n at index 2n, y at 2n + 1. */
export function initialPositions(size, links, communityOf) {
  const positions = new Float32Array(2 * size)
  const groups = groupNodes(size, links, communityOf)
  const discs = placeDiscs(groups, linkWeights(groups, size, links), links)
  groups.forEach((group, number) => {
    const [x, y] = discs[number]
    group.forEach((node, rank) => {
      const distance = Math.sqrt(rank + 0.5) * spacing(group, links)
      positions[2 * node] = x + distance * Math.cos(rank * GOLDEN)
      positions[2 * node + 1] = y + distance * Math.sin(rank * GOLDEN)
    })
  })
  return positions
}

/** Move the nodes round by round; yields after each round, so that the caller can draw. */
export function* relax(positions, links, communityOf, rounds) {
  const size = positions.length / 2
  const forces = new Float32Array(2 * size)
  const communityCentres = centres(positions, communityOf)
  for (let round = 0; round < rounds; round++) {
    forces.fill(0)
    addRepulsion(positions, forces)
    addAttraction(positions, forces, links, communityOf)
    const maxStep = 0.6 * (1 - round / rounds) + 0.02
    for (let node = 0; node < size; node++) {
      const centre = 2 * communityOf[node]
      let x = forces[2 * node]
      let y = forces[2 * node + 1]
      if (communityOf[node]) {
        x += 0.015 * (communityCentres[centre] - positions[2 * node])
        y += 0.015 * (communityCentres[centre + 1] - positions[2 * node + 1])
      }
      const length = Math.hypot(x, y)
      const step = length > maxStep ? maxStep / length : 1
      positions[2 * node] += x * step
      positions[2 * node + 1] += y * step
    }
    yield round
  }
}

/** Return the nodes by community, the ones with most links first; unlinked nodes form the last group. */
function groupNodes(size, links, communityOf) {
  const groups = new Map()
  for (let node = 0; node < size; node++) {
    const key = communityOf[node] || (links.degree[node] ? -1 : -2)
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(node)
  }
  const order = (key) => (key > 0 ? key : 1e9 - key)
  return [...groups.keys()]
    .sort((one, other) => order(one) - order(other))
    .map((key) => groups.get(key).sort((one, other) => links.degree[other] - links.degree[one] || one - other))
}

/** Return the initial spacing in a group; unlinked nodes are spaced widely, to leave room for their titles. */
function spacing(group, links) {
  return links.degree[group[0]] || group.length > MAX_SPACED ? 0.95 : 2
}

/** Return the number of links between each two groups. */
function linkWeights(groups, size, links) {
  const groupOf = new Uint32Array(size)
  groups.forEach((group, number) => group.forEach((node) => (groupOf[node] = number)))
  const weights = groups.map(() => new Map())
  for (let link = 0; link < links.count; link++) {
    const one = groupOf[links.source[link]]
    const other = groupOf[links.target[link]]
    if (one === other) continue
    weights[one].set(other, (weights[one].get(other) || 0) + 1)
    weights[other].set(one, (weights[other].get(one) || 0) + 1)
  }
  return weights
}

/** Return the centre of each group's disc: near the groups it is linked to, without overlap. */
function placeDiscs(groups, weights, links) {
  const radius = groups.map((group) => Math.sqrt(group.length) * spacing(group, links) + 1.2)
  const discs = []
  groups.forEach((_, number) => {
    let x = 0
    let y = 0
    let total = 0
    for (const [other, weight] of weights[number]) {
      if (other >= number) continue
      x += discs[other][0] * weight
      y += discs[other][1] * weight
      total += weight
    }
    discs.push(freeSpot(total ? x / total : 0, total ? y / total : 0, number, discs, radius))
  })
  return discs
}

function freeSpot(x, y, number, discs, radius) {
  for (let step = 0; ; step++) {
    const distance = 0.9 * Math.sqrt(step) * Math.max(1, radius[number] / 4)
    const centre = [x + distance * Math.cos(step * GOLDEN), y + distance * Math.sin(step * GOLDEN)]
    const overlaps = discs.some(
      (disc, other) => Math.hypot(disc[0] - centre[0], disc[1] - centre[1]) < radius[other] + radius[number],
    )
    if (!overlaps) return centre
  }
}

function centres(positions, communityOf) {
  const sums = new Float32Array(2 * (communityOf.reduce((highest, community) => Math.max(highest, community), 0) + 1))
  const counts = new Uint32Array(sums.length / 2)
  for (let node = 0; node < communityOf.length; node++) {
    sums[2 * communityOf[node]] += positions[2 * node]
    sums[2 * communityOf[node] + 1] += positions[2 * node + 1]
    counts[communityOf[node]]++
  }
  return sums.map((sum, index) => sum / (counts[index >> 1] || 1))
}

/** Add the repulsion between nodes within REPULSION_RADIUS of each other. */
function addRepulsion(positions, forces) {
  const size = positions.length / 2
  const cells = new Map()
  const cellOf = (x, y) => (Math.floor(x / REPULSION_RADIUS) + 32768) * 65536 + Math.floor(y / REPULSION_RADIUS) + 32768
  for (let node = 0; node < size; node++) {
    const cell = cellOf(positions[2 * node], positions[2 * node + 1])
    const sameCell = cells.get(cell)
    if (sameCell) sameCell.push(node)
    else cells.set(cell, [node])
  }
  const neighbourOffsets = [0, 1, 65535, 65536, 65537] // visits each pair of cells once
  for (const [cell, members] of cells) {
    for (const step of neighbourOffsets) {
      const others = step ? cells.get(cell + step) : members
      if (!others) continue
      for (let one = 0; one < members.length; one++) {
        for (let other = step ? 0 : one + 1; other < others.length; other++)
          repel(positions, forces, members[one], others[other])
      }
    }
  }
}

function repel(positions, forces, one, other) {
  let x = positions[2 * one] - positions[2 * other]
  let y = positions[2 * one + 1] - positions[2 * other + 1]
  let square = x * x + y * y
  if (square > REPULSION_RADIUS * REPULSION_RADIUS) return
  if (square < 1e-4) {
    x = 0.01 * (one - other > 0 ? 1 : -1)
    y = 0.01
    square = 1e-2
  }
  const force = 0.35 / square
  forces[2 * one] += x * force
  forces[2 * one + 1] += y * force
  forces[2 * other] -= x * force
  forces[2 * other + 1] -= y * force
}

/** Add the attraction along links: weaker for nodes with many links, and much weaker between communities. */
function addAttraction(positions, forces, links, communityOf) {
  for (let link = 0; link < links.count; link++) {
    const one = links.source[link]
    const other = links.target[link]
    const x = positions[2 * other] - positions[2 * one]
    const y = positions[2 * other + 1] - positions[2 * one + 1]
    const strength = communityOf[one] === communityOf[other] ? 0.18 : 0.004
    const pull = strength / Math.sqrt(Math.min(links.degree[one], links.degree[other]))
    forces[2 * one] += x * pull
    forces[2 * one + 1] += y * pull
    forces[2 * other] -= x * pull
    forces[2 * other + 1] -= y * pull
  }
}

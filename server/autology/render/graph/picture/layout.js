// The layout: the parts of the graph, which are its connected components or chosen groups, are each laid out by forces
// and packed in rows, the largest first. It is deterministic: the same graph always gets the same layout. Positions
// are in units of the distance between neighbours.

import {drawnBeside} from './graph.js'
import {push} from './repulsion.js'

const GOLDEN = Math.PI * (3 - Math.sqrt(5))
const PULL = 0.35 // of a link's spring
const BETWEEN_CLUSTERS = 0.3 // of a spring between clusters, which keeps them apart
const BETWEEN_SMALL = 0.7 // the same in a part of at most SMALL nodes, where there is room anyway
const SMALL = 200
const GRAVITY = 0.05 // towards the centre of a part that links hold together
const GROUP_GRAVITY = 0.5 // towards the centre of a group, most of whose nodes may be unlinked
const MARGIN = 1 // around each part
const FEW = 5 // nodes of a part whose labels have no room but beside it
const WIDE_MARGIN = 2.6 // at the sides of such a part
const LEAST_WIDTH = 5 // of a group, for its name
const HEADING = 1.6 // above a group, for its name
const DRAWN_EARLY = 800 // nodes of a part from which its rounds are drawn, because they take a while
const WIDE = 1.7 // width of the whole by its height
const TALL = 0.6 // the same in a window that is higher than wide

/**
 * Lay out the *nodes* of *graph* in `graph.positions`, by *groups* ({name, nodes}) if there are any, for a window that is
 * wide or *tall*; yields often, so that the caller can draw. `graph.boxes` are the groups' boxes: {name, left,
 * top, right, bottom}.
 */
export function* arrange(graph, nodes, {groups = null, isTall = false} = {}) {
  const parts = groups
    ? groups.map(({name, nodes: members}) => partOf(graph, members, name))
    : components(graph, nodes).map((members) => partOf(graph, members))
  graph.boxes = []
  for (const part of parts) spread(part)
  pack(graph, parts, isTall)
  yield
  for (const part of parts) {
    yield* settle(graph, part)
    turn(part, isTall)
  }
  pack(graph, parts, isTall)
}

/** Return the connected components among *nodes*, largest first. */
export function components(graph, nodes) {
  const accepted = new Set(nodes)
  const groups = []
  for (const start of nodes) {
    if (!accepted.delete(start)) continue
    const members = [start]
    for (const node of members) {
      for (const other of drawnBeside(graph, node)) if (accepted.delete(other)) members.push(other)
    }
    groups.push(members)
  }
  return groups.sort((one, other) => other.length - one.length)
}

/** Return a part: its nodes with the most linked first, the links among them, and their coordinates. */
function partOf(graph, members, name = '') {
  const {links} = graph
  const nodes = [...members].sort((one, other) => links.degree[other] - links.degree[one] || one - other)
  const places = new Map(nodes.map((node, place) => [node, place]))
  const ends = []
  const degree = new Float32Array(nodes.length)
  nodes.forEach((node, place) => {
    for (const other of drawnBeside(graph, node)) {
      const otherPlace = places.get(other)
      if (otherPlace === undefined) continue
      degree[place]++
      if (otherPlace > place) ends.push(place, otherPlace)
    }
  })
  return {
    name,
    nodes,
    ends,
    degree,
    community: clustersOf(graph, nodes, places),
    x: new Float32Array(nodes.length),
    y: new Float32Array(nodes.length),
  }
}

/** Return each node's cluster; a node without one that is similar to others is laid out with the nearest that has one. */
function clustersOf(graph, nodes, places) {
  const clusters = Uint32Array.from(nodes, (node) => graph.communityOf[node])
  const reached = nodes.filter((node) => graph.communityOf[node])
  for (const node of reached) {
    for (const other of graph.similar.neighbours(node)) {
      const place = places.get(other)
      if (place === undefined || clusters[place]) continue
      clusters[place] = clusters[places.get(node)]
      reached.push(other)
    }
  }
  return clusters
}

/** Give the nodes of a part their first places: each cluster is a disc near the clusters that it is linked to. */
function spread(part) {
  const discs = new Map()
  part.community.forEach((number, place) => {
    const key = number || -1
    if (!discs.has(key)) discs.set(key, [])
    discs.get(key).push(place)
  })
  const placed = []
  const weights = weightsBetween(part)
  for (const [key, places] of [...discs].sort((one, other) => other[1].length - one[1].length)) {
    const radius = Math.sqrt(places.length) + 0.6
    let [x, y, total] = [0, 0, 0]
    for (const disc of placed) {
      const weight = weights.get(pair(key, disc.key)) ?? 0
      x += disc.x * weight
      y += disc.y * weight
      total += weight
    }
    const disc = {key, radius, ...freeSpot(total ? x / total : 0, total ? y / total : 0, radius, placed)}
    placed.push(disc)
    places.forEach((place, rank) => {
      const distance = Math.sqrt(rank + 0.5)
      part.x[place] = disc.x + distance * Math.cos(rank * GOLDEN)
      part.y[place] = disc.y + distance * Math.sin(rank * GOLDEN)
    })
  }
}

const pair = (one, other) => (one < other ? `${one} ${other}` : `${other} ${one}`)

function weightsBetween({ends, community}) {
  const weights = new Map()
  for (let at = 0; at < ends.length; at += 2) {
    const one = community[ends[at]] || -1
    const other = community[ends[at + 1]] || -1
    if (one !== other) weights.set(pair(one, other), (weights.get(pair(one, other)) ?? 0) + 1)
  }
  return weights
}

function freeSpot(x, y, radius, placed) {
  for (let step = 0; ; step++) {
    const distance = 0.9 * Math.sqrt(step) * Math.max(1, radius / 4)
    const spot = {x: x + distance * Math.cos(step * GOLDEN), y: y + distance * Math.sin(step * GOLDEN)}
    if (placed.every((disc) => Math.hypot(disc.x - spot.x, disc.y - spot.y) >= disc.radius + radius)) return spot
  }
}

function roundsFor(size) {
  if (size < 3) return 0
  return size > 3000 ? 50 : size > 800 ? 100 : 220
}

/** Move the nodes of a part round by round: neighbours attract each other, all others repel each other. */
function* settle(graph, part) {
  const {x, y, ends, degree, community} = part
  const size = x.length
  const rounds = roundsFor(size)
  const mass = degree.map((count) => 1 + 0.35 * Math.sqrt(count))
  const forceX = new Float32Array(size)
  const forceY = new Float32Array(size)
  const between = PULL * (size > SMALL ? BETWEEN_CLUSTERS : BETWEEN_SMALL)
  const gravity = part.name ? GROUP_GRAVITY : GRAVITY
  for (let round = 0; round < rounds; round++) {
    forceX.fill(0)
    forceY.fill(0)
    yield* push(x, y, mass, forceX, forceY)
    for (let at = 0; at < ends.length; at += 2) {
      const one = ends[at]
      const other = ends[at + 1]
      const pull = community[one] === community[other] ? PULL : between
      const dx = (x[other] - x[one]) * pull
      const dy = (y[other] - y[one]) * pull
      forceX[one] += dx
      forceY[one] += dy
      forceX[other] -= dx
      forceY[other] -= dy
    }
    const [middleX, middleY] = [mean(x), mean(y)]
    const longest = 1.2 * (1 - round / rounds) + 0.02
    for (let node = 0; node < size; node++) {
      const stiffness = 1 + PULL * degree[node] + gravity
      let dx = (forceX[node] + gravity * (middleX - x[node])) / stiffness
      let dy = (forceY[node] + gravity * (middleY - y[node])) / stiffness
      const length = Math.hypot(dx, dy)
      if (length > longest) {
        dx *= longest / length
        dy *= longest / length
      }
      x[node] += dx
      y[node] += dy
    }
    if (size > DRAWN_EARLY) write(graph, part)
    yield
  }
}

/** Turn a part so that it is wider than high, or higher than wide if *isTall*. */
function turn({x, y}, isTall) {
  const [middleX, middleY] = [mean(x), mean(y)]
  let [xx, yy, xy] = [0, 0, 0]
  for (let node = 0; node < x.length; node++) {
    xx += (x[node] - middleX) ** 2
    yy += (y[node] - middleY) ** 2
    xy += (x[node] - middleX) * (y[node] - middleY)
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2 + (isTall && x.length > FEW ? Math.PI / 2 : 0)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  for (let node = 0; node < x.length; node++) {
    const [dx, dy] = [x[node] - middleX, y[node] - middleY]
    x[node] = middleX + cos * dx + sin * dy
    y[node] = middleY - sin * dx + cos * dy
  }
}

function mean(values) {
  let sum = 0
  for (const value of values) sum += value
  return sum / (values.length || 1)
}

/** Put the parts into rows, the largest first, and smaller ones into columns beside them. */
function pack(graph, parts, isTall) {
  for (const part of parts) measure(part)
  const boxes = [...parts].sort((one, other) => other.nodes.length - one.nodes.length || other.height - one.height)
  const area = boxes.reduce((sum, {width, height}) => sum + width * height, 0)
  const limit = Math.max(Math.sqrt(area * (isTall ? TALL : WIDE)), ...boxes.map(({width}) => width))
  const rows = []
  for (const box of boxes) {
    const column = rows.flatMap(({columns}) => columns).find((one) => one.height + box.height <= one.row.height && box.width <= one.width)
    const row = column?.row ?? rows.find(({width}) => width + box.width <= limit) ?? newRow(rows, box.height)
    if (column) addTo(column, box)
    else {
      row.columns.push(addTo({row, width: box.width, height: 0, boxes: []}, box))
      row.width += box.width
    }
  }
  let top = 0
  for (const row of rows) {
    let left = -row.width / 2
    for (const column of row.columns) {
      let boxTop = top + (column.boxes[0].name ? 0 : (row.height - column.height) / 2)
      for (const box of column.boxes) {
        box.shiftX = left + (column.width - box.width) / 2 - box.left
        box.shiftY = boxTop - box.top
        boxTop += box.height
        write(graph, box)
      }
      left += column.width
    }
    top += row.height
  }
  graph.boxes = boxes.filter(({name}) => name).map(outline)
}

function newRow(rows, height) {
  const row = {width: 0, height, columns: []}
  rows.push(row)
  return row
}

function addTo(column, box) {
  column.boxes.push(box)
  column.height += box.height
  return column
}

function measure(part) {
  const [left, right] = extent(part.x)
  const [top, bottom] = extent(part.y)
  const heading = part.name ? HEADING : 0
  const side = !part.name && part.nodes.length <= FEW ? WIDE_MARGIN : MARGIN
  Object.assign(part, {
    left: left - side,
    top: top - MARGIN - heading,
    width: Math.max(right - left + 2 * side, part.name ? LEAST_WIDTH : 0),
    height: bottom - top + 2 * MARGIN + heading,
  })
}

function extent(values) {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

function outline({name, nodes, left, top, width, height, shiftX, shiftY}) {
  const inset = 0.25
  return {
    name,
    nodes,
    left: left + shiftX + inset,
    top: top + shiftY + inset,
    right: left + shiftX + width - inset,
    bottom: top + shiftY + height - inset,
  }
}

function write(graph, {nodes, x, y, shiftX = 0, shiftY = 0}) {
  nodes.forEach((node, place) => {
    graph.positions[2 * node] = x[place] + shiftX
    graph.positions[2 * node + 1] = y[place] + shiftY
  })
}

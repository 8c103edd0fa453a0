// Labels: titles in up to two lines, placed next to their nodes where nothing else is, and never beyond the edges.

export const FONT = '12px system-ui, sans-serif'
export const BOLD = `600 ${FONT}`
export const LINE_HEIGHT = 14
const CELL = 64 // pixels of the grid in which taken boxes are looked up
const FARTHEST = 8 // lines away from its node at which a title that is always written is still looked for room
const EDGE = 4 // pixels between a label and the edge of the canvas
const WIDTH = 150 // pixels of a line
const NARROW_WIDTH = 100 // pixels of a line in a small graph
const FULL_WIDTH = 230 // pixels of a line of a whole title

// The sides of a node, and how much less readable a label is there than below.
const SIDES = [
  [0, 1, 0],
  [0, -1, 0.1],
  [1, 0, 0.2],
  [-1, 0, 0.25],
  [1, 1, 0.3],
  [-1, 1, 0.35],
  [1, -1, 0.4],
  [-1, -1, 0.45],
]

/** The boxes that are taken on a canvas. A box is [left, top, right, bottom]. */
export class Space {
  constructor(width, height) {
    this.width = width
    this.height = height
    this.columns = Math.ceil(width / CELL) + 1
    this.cells = new Map()
  }

  isFree(box) {
    if (box[0] < EDGE || box[1] < EDGE || box[2] > this.width - EDGE || box[3] > this.height - EDGE) return false
    for (const cell of this.cellsOf(box)) {
      for (const other of this.cells.get(cell) ?? []) {
        if (box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]) return false
      }
    }
    return true
  }

  take(box) {
    for (const cell of this.cellsOf(box)) {
      const taken = this.cells.get(cell)
      if (taken) taken.push(box)
      else this.cells.set(cell, [box])
    }
  }

  cellsOf([left, top, right, bottom]) {
    const cells = []
    for (let row = Math.floor(top / CELL); row <= bottom / CELL; row++) {
      for (let column = Math.floor(left / CELL); column <= right / CELL; column++)
        cells.push(row * this.columns + column)
    }
    return cells
  }
}

/** Titles broken into lines, measured once. */
export class Titles {
  constructor(nodes, isNarrow = false) {
    this.nodes = nodes
    this.width = isNarrow ? NARROW_WIDTH : WIDTH
    this.fullWidth = isNarrow ? WIDTH : FULL_WIDTH
    this.short = new Array(nodes.length)
    this.whole = new Map()
  }

  /** Return {lines, width} of a node's title: two lines with an ellipsis, or the *whole* title. */
  of(pen, node, whole = false) {
    if (!whole) return (this.short[node] ??= broken(pen, FONT, this.nodes[node].title, this.width, 2))
    if (!this.whole.has(node)) this.whole.set(node, broken(pen, BOLD, this.nodes[node].title, this.fullWidth, 5))
    return this.whole.get(node)
  }
}

/**
 * Return where a label fits beside a node's circle, as a box; null if nowhere. It prefers the side that looks *away*
 * ([x, y]) from the node's links. A *forced* one always fits.
 */
export function placeLabel(space, {lines, width}, x, y, rim, away, forced) {
  const height = lines.length * LINE_HEIGHT
  const gap = rim + 3
  const slant = rim * 0.75 + 2
  const at = (dx, dy) => [
    x + (dx < 0 ? -width : dx ? 0 : -width / 2) + dx * (dy ? slant : gap),
    y + (dy < 0 ? -height : dy ? 0 : -height / 2) + dy * (dx ? slant : gap),
  ]
  const sides = SIDES.map(([dx, dy, cost]) => [dx, dy, cost - (dx * away[0] + dy * away[1]) / Math.hypot(dx, dy)])
  for (const [dx, dy] of sides.sort((one, other) => one[2] - other[2])) {
    const [left, top] = at(dx, dy)
    const box = [left, top, left + width, top + height]
    if (space.isFree(box)) return box
  }
  if (!forced) return null
  const inside = (start, length, limit) => Math.max(EDGE, Math.min(start, limit - EDGE - length))
  const boxAt = (left, top) => {
    const corner = [inside(left, width, space.width), inside(top, height, space.height)]
    return [...corner, corner[0] + width, corner[1] + height]
  }
  const [left, below] = at(0, 1)
  const above = at(0, -1)[1]
  for (let row = 0; row < FARTHEST; row++) {
    const free = [boxAt(left, below + row * LINE_HEIGHT), boxAt(left, above - row * LINE_HEIGHT)].find((box) =>
      space.isFree(box),
    )
    if (free) return free
  }
  return boxAt(left, below)
}

/**
 * Break a text into lines of at most *limit* pixels and of about one length; what does not fit into *most* lines ends
 * in an ellipsis.
 */
function broken(pen, font, text, limit, most) {
  pen.font = font
  const measure = (line) => pen.measureText(line).width
  let lines = linesOf(text, limit, most, measure)
  const even = (measure(text) / lines.length) * 1.2
  if (lines.length > 1 && even < limit) {
    const evenLines = linesOf(text, even, most, measure)
    if (evenLines.length === lines.length && !evenLines.at(-1).endsWith('…')) lines = evenLines
  }
  return {lines, width: Math.max(0, ...lines.map(measure)) + 4}
}

function linesOf(text, limit, most, measure) {
  const lines = []
  let rest = text.trim()
  while (rest) {
    let line = fitting(rest, limit, measure)
    if (lines.length === most - 1 && line.length < rest.length) {
      line = `${fitting(rest, limit - measure('…'), measure, true).trimEnd()}…`
      rest = ''
    } else rest = rest.slice(line.length).trimStart()
    lines.push(line.trimEnd())
  }
  return lines
}

/** Return the longest beginning of *text* that fits, up to the end of a word unless *anywhere* or the word is too long. */
function fitting(text, limit, measure, anywhere = false) {
  if (measure(text) <= limit) return text
  let [low, high] = [1, text.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (measure(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  const space = anywhere ? -1 : text.lastIndexOf(' ', low)
  return text.slice(0, space > 0 ? space + 1 : low)
}

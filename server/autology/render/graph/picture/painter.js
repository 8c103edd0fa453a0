// Paints the graph: links with their directions, nodes, labels; and over it what is emphasised, with the rest dimmed.

import {BOLD, FONT, LINE_HEIGHT, Space, Titles, placeLabel} from './labels.js'
import {lineOf, relationLabel} from './relations.js'

const MAX_TITLES = 90 // titles drawn at once; more would be unreadable
const MAX_CANDIDATES = 1500 // nodes considered for a title in one frame
const MAX_OBSTACLES = 1500 // graphs with more visible nodes let titles cover them, because there is no free space
const MAX_LINKS_IN_MOTION = 2500 // links drawn during pan and zoom; all of them afterwards
const MAX_ARROWS = 1200 // arrowheads drawn at once; more would be specks
const MAX_DIRECTIONS = 12 // links of a node looked at to find where its label is out of their way
const MAX_TYPED = 24 // links of a node up to which each has its type written on it
const MAX_RELATIONS = 12 // relations drawn up to which each has its type written on it, whatever is pointed at
const ARROW_ZOOM = 11 // pixels between neighbours from which links have arrowheads
const FAR = 9 // pixels between neighbours below which clusters have names instead of nodes
const DENSE = 400 // nodes in view above which clusters have names
const LEAST_NAMED = 8 // nodes of a cluster that has a name
const MAX_HUBS = 8 // nodes whose titles may cover neighbours
const HUB_DEGREE = 6 // links of such a node
const HUE_STEP = 137.508
const NAME = '600 13px system-ui, sans-serif' // of a group
const VEIL = 0.84 // share of what is not emphasised that the ground covers while a note is pointed at
const SELECTION_VEIL = 0.65 // the same while one is selected, which lasts longer

export class Painter {
  constructor(canvas) {
    this.canvas = canvas
    this.graph = canvas.graph
    this.pen = canvas.element.getContext('2d', {alpha: false})
    this.overlayPen = canvas.overlay.getContext('2d')
    this.titles = new Titles(this.graph.nodes, canvas.inset)
    this.lines = this.graph.types.map(lineOf)
    this.labelBoxes = new Map() // of the titles that are painted under what is emphasised
    this.typeBoxes = new Map() // of the types, by the ends of their links
  }

  updateTheme() {
    const style = getComputedStyle(this.canvas.element)
    const property = (name) => style.getPropertyValue(name).trim()
    this.colours = Object.fromEntries(
      'ground sunken edge text soft accent link link-replacement link-mention link-similar'
        .split(' ')
        .map((name) => [name, property(`--${name}`)]),
    )
    this.lineColours = {
      relation: this.colours.link,
      mention: this.colours['link-mention'],
      replacement: this.colours['link-replacement'],
    }
    this.typeColours = new Map()
    for (const {type} of this.graph.nodes) {
      if (!this.typeColours.has(type)) this.typeColours.set(type, property(`--type-${type}`) || property('--type-other'))
    }
    this.isDark = property('--is-dark') === '1'
  }

  paint(isMoving) {
    const {pen, canvas} = this
    pen.setTransform(canvas.ratio, 0, 0, canvas.ratio, 0, 0)
    pen.fillStyle = this.colours.ground
    pen.fillRect(0, 0, canvas.width, canvas.height)
    const space = this.freeSpace()
    this.paintBoxes(space)
    this.paintSimilar(pen, this.allSimilar())
    this.paintLinks(isMoving)
    this.paintNodes(pen, this.visibleInView())
    this.paintTitles(space)
    this.typeBoxes = new Map()
    if (!canvas.inset && !isMoving) this.paintTypes(pen, space, this.fewRelations())
  }

  /** Return the relations that are drawn, without mentions in texts; none where there are many. */
  fewRelations() {
    const {links} = this.graph
    const relations = []
    for (let link = 0; link < links.count; link++) {
      if (this.lines[links.type[link]] === 'mention' || !this.canvas.isLinkVisible(link)) continue
      if (relations.push(link) > MAX_RELATIONS) return []
    }
    return relations
  }

  freeSpace() {
    const {width, height, obstacles} = this.canvas
    const space = new Space(width, height)
    for (const {offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight} of obstacles)
      if (offsetWidth) space.take([left, top, left + offsetWidth, top + offsetHeight])
    return space
  }

  /** Return the visible nodes in the view, the most linked first. */
  visibleInView() {
    const {canvas} = this
    const margin = 20
    return canvas.order.filter((node) => {
      if (!canvas.visible[node]) return false
      const [x, y] = canvas.positionOf(node)
      return x > -margin && y > -margin && x < canvas.width + margin && y < canvas.height + margin
    })
  }

  // ---- groups ----

  paintBoxes(space) {
    const {pen, canvas, colours} = this
    const {x, y, k} = canvas.view
    for (const {name, nodes, left, top, right, bottom} of this.graph.boxes) {
      const count = nodes.reduce((sum, node) => sum + canvas.visible[node], 0)
      if (!count) continue
      pen.fillStyle = colours.sunken
      pen.strokeStyle = colours.edge
      pen.lineWidth = 1
      pen.beginPath()
      pen.roundRect(left * k + x, top * k + y, (right - left) * k, (bottom - top) * k, 8)
      pen.fill()
      pen.stroke()
      pen.font = NAME
      const room = (right - left) * k - 12
      const full = `${name} (${count})`
      const text = pen.measureText(full).width <= room ? full : fittedText(pen, name, room)
      if (!text) continue
      const box = [left * k + x + 6, top * k + y + 4, left * k + x + 6 + pen.measureText(text).width, top * k + y + 21]
      if (!space.isFree(box)) continue
      space.take(box)
      pen.textAlign = 'left'
      pen.fillStyle = colours.text
      pen.fillText(text, box[0], box[1] + 13)
    }
  }

  colourOf(node) {
    const {groupOf} = this.canvas
    if (!groupOf) return this.typeColours.get(this.graph.nodes[node].type)
    return groupOf[node] ? `hsl(${(groupOf[node] * HUE_STEP) % 360} 55% ${this.isDark ? 62 : 46}%)` : this.colours.soft
  }

  // ---- links ----

  paintLinks(isMoving) {
    const {pen, canvas} = this
    const {links} = this.graph
    const {k} = canvas.view
    const stride = isMoving ? Math.max(1, Math.ceil(links.count / MAX_LINKS_IN_MOTION)) : 1
    const skipsCrossing = k > 14 && links.count > 400
    const byLine = {mention: [], relation: [], replacement: []}
    let count = 0
    for (let link = 0; link < links.count; link += stride) {
      if (!canvas.isLinkVisible(link)) continue
      const ends = this.endsInView(link, skipsCrossing)
      if (!ends) continue
      byLine[this.lines[links.type[link]]].push(ends)
      count++
    }
    const hasArrows = k > ARROW_ZOOM && count <= MAX_ARROWS
    const isDense = links.count > 4000 && k < 14
    for (const [line, ends] of Object.entries(byLine)) {
      if (!ends.length) continue
      pen.strokeStyle = pen.fillStyle = this.lineColours[line]
      pen.globalAlpha = isDense ? 0.35 : 0.85
      pen.lineWidth = (k > 14 ? 1.2 : 0.7) * (line === 'replacement' ? 1.6 : 1)
      pen.setLineDash(line === 'mention' && hasArrows ? [4, 3] : [])
      pen.beginPath()
      for (const [x1, y1, x2, y2] of ends) {
        pen.moveTo(x1, y1)
        pen.lineTo(x2, y2)
      }
      pen.stroke()
      if (hasArrows) paintArrows(pen, ends, 5 + Math.min(2, k / 40))
    }
    pen.setLineDash([])
    pen.globalAlpha = 1
  }

  /** Return [x1, y1, x2, y2, rim of the target] of a link, or null if it is outside the view. */
  endsInView(link, skipsCrossing = false) {
    const {canvas} = this
    const {source, target} = this.graph.links
    const [x1, y1] = canvas.positionOf(source[link])
    const [x2, y2] = canvas.positionOf(target[link])
    const {width, height} = canvas
    const isOutside = (x, y) => x < 0 || y < 0 || x > width || y > height
    if (skipsCrossing && isOutside(x1, y1) && isOutside(x2, y2)) return null // it would only cross the view
    if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height))
      return null
    return [x1, y1, x2, y2, canvas.radius(target[link])]
  }

  // ---- similar nodes ----

  /** Return the numbers of the pairs of similar nodes that are shown. */
  allSimilar() {
    const {visible, graph} = this.canvas
    const {source, target} = graph.similar
    return [...source.keys()].filter((pair) => visible[source[pair]] && visible[target[pair]])
  }

  /** Draw *pairs* of similar nodes as dotted lines, without a direction: they are no links. */
  paintSimilar(pen, pairs, width = 1) {
    if (!pairs.length) return
    const {source, target} = this.graph.similar
    pen.strokeStyle = this.colours['link-similar']
    pen.lineWidth = width
    pen.setLineDash([2, 3.5])
    pen.beginPath()
    for (const pair of pairs) {
      pen.moveTo(...this.canvas.positionOf(source[pair]))
      pen.lineTo(...this.canvas.positionOf(target[pair]))
    }
    pen.stroke()
    pen.setLineDash([])
  }

  // ---- nodes ----

  paintNodes(pen, nodes) {
    const {canvas} = this
    const byColour = new Map()
    for (const node of nodes) {
      const colour = this.colourOf(node)
      const sameColour = byColour.get(colour)
      if (sameColour) sameColour.push(node)
      else byColour.set(colour, [node])
    }
    for (const [colour, sameColour] of byColour) {
      pen.fillStyle = colour
      pen.beginPath()
      for (const node of sameColour) {
        const [x, y] = canvas.positionOf(node)
        const radius = canvas.radius(node)
        if (radius < 2.2) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius)
        else {
          pen.moveTo(x + radius, y)
          pen.arc(x, y, radius, 0, 7)
        }
      }
      pen.fill()
    }
    this.paintSuperseded(pen, nodes)
  }

  /** Draw superseded nodes hollow. */
  paintSuperseded(pen, nodes) {
    if (this.canvas.view.k < 8) return
    pen.fillStyle = this.colours.ground
    pen.beginPath()
    for (const node of nodes) {
      if (this.graph.nodes[node].status !== 'superseded') continue
      const [x, y] = this.canvas.positionOf(node)
      const radius = this.canvas.radius(node) * 0.55
      pen.moveTo(x + radius, y)
      pen.arc(x, y, radius, 0, 7)
    }
    pen.fill()
  }

  paintRing(pen, node, colour) {
    const [x, y] = this.canvas.positionOf(node)
    pen.strokeStyle = colour
    pen.lineWidth = 2.2
    pen.beginPath()
    pen.arc(x, y, this.canvas.radius(node) + 3, 0, 7)
    pen.stroke()
  }

  // ---- labels ----

  paintTitles(space) {
    const {canvas, pen} = this
    const inView = this.visibleInView()
    this.labelBoxes.clear()
    const isFar = canvas.view.k < FAR && inView.length > DENSE
    if (isFar && !this.graph.boxes.length) this.paintClusterNames(space)
    if (isFar && inView.length > MAX_OBSTACLES) return
    if (inView.length <= MAX_OBSTACLES) {
      this.paintHubTitles(space, inView)
      for (const node of inView) space.take(this.discOf(node))
    }
    const {marked} = canvas
    if (marked >= 0) {
      this.labelBoxes.set(marked, this.paintTitle(pen, space, marked, true))
      this.paintRing(pen, marked, this.colours.accent)
    }
    let remaining = isFar ? MAX_TITLES / 6 : MAX_TITLES
    for (const node of inView.slice(0, MAX_CANDIDATES)) {
      const box = this.labelBoxes.has(node) ? null : this.paintTitle(pen, space, node)
      if (!box) continue
      this.labelBoxes.set(node, box)
      if (--remaining < 1) break
    }
  }

  /** Write the titles of the most linked nodes first: their many neighbours would leave no room for them. */
  paintHubTitles(space, inView) {
    const hubs = inView.slice(0, MAX_HUBS).filter((node) => this.graph.links.degree[node] >= HUB_DEGREE)
    for (const node of hubs) space.take(this.discOf(node))
    for (const node of hubs) {
      const box = node === this.canvas.marked ? null : this.paintTitle(this.pen, space, node)
      if (box) this.labelBoxes.set(node, box)
    }
  }

  discOf(node) {
    const [x, y] = this.canvas.positionOf(node)
    const rim = this.canvas.radius(node)
    return [x - rim, y - rim, x + rim, y + rim]
  }

  /** Write a node's title where there is room and return its box, or null; a *forced* one is whole and always written. */
  paintTitle(pen, space, node, forced = false) {
    const [x, y] = this.canvas.positionOf(node)
    const title = this.titles.of(pen, node, forced)
    const old = pen === this.overlayPen && !forced ? this.labelBoxes.get(node) : null
    const box =
      old && space.isFree(old)
        ? old
        : placeLabel(space, title, x, y, this.canvas.radius(node), this.awayFromLinks(node), forced)
    if (!box) return null
    space.take(box)
    pen.font = forced ? BOLD : FONT
    const isOver = this.graph.nodes[node].status === 'superseded'
    title.lines.forEach((line, row) =>
      this.paintText(
        pen,
        line,
        (box[0] + box[2]) / 2,
        box[1] + 11 + row * LINE_HEIGHT,
        isOver && !forced ? this.colours.soft : this.colours.text,
      ),
    )
    return box
  }

  /** Return the direction that a node's links leave free, at most of length 1. */
  awayFromLinks(node) {
    const {links, similar, positions} = this.graph
    let [sumX, sumY] = [0, 0]
    const away = [links, similar].flatMap((lines) =>
      [...lines.touching(node).subarray(0, MAX_DIRECTIONS)].map((line) => lines.otherEnd(line, node)),
    )
    for (const other of away) {
      const dx = positions[2 * node] - positions[2 * other]
      const dy = positions[2 * node + 1] - positions[2 * other + 1]
      const length = Math.hypot(dx, dy) || 1
      sumX += dx / length
      sumY += dy / length
    }
    const length = Math.max(1, Math.hypot(sumX, sumY))
    return [sumX / length, sumY / length]
  }

  paintClusterNames(space) {
    const {pen, canvas} = this
    pen.font = NAME
    for (const {name, nodes} of this.graph.communities) {
      let [x, y, count] = [0, 0, 0]
      for (const node of nodes) {
        if (!canvas.visible[node]) continue
        const [left, top] = canvas.positionOf(node)
        x += left
        y += top
        count++
      }
      if (count < LEAST_NAMED) continue
      const half = pen.measureText(name).width / 2 + 6
      const box = [x / count - half, y / count - 11, x / count + half, y / count + 9]
      if (!space.isFree(box)) continue
      space.take(box)
      this.paintText(pen, name, x / count, y / count + 4, this.colours.text, 4)
    }
  }

  paintText(pen, text, x, y, ink, halo = 3) {
    pen.textAlign = 'center'
    pen.lineJoin = 'round'
    pen.lineWidth = halo
    pen.strokeStyle = this.colours.ground
    pen.strokeText(text, x, y)
    pen.fillStyle = ink
    pen.fillText(text, x, y)
  }

  // ---- what is emphasised ----

  paintOverlay() {
    const {canvas, overlayPen: pen} = this
    pen.setTransform(canvas.ratio, 0, 0, canvas.ratio, 0, 0)
    pen.clearRect(0, 0, canvas.width, canvas.height)
    const emphasis = canvas.emphasis()
    const space = this.freeSpace()
    if (emphasis) {
      pen.globalAlpha = canvas.hovered < 0 && emphasis.centre >= 0 ? SELECTION_VEIL : VEIL
      pen.fillStyle = this.colours.ground
      pen.fillRect(0, 0, canvas.width, canvas.height)
      pen.globalAlpha = 1
      for (const node of emphasis.nodes) {
        const box = this.labelBoxes.get(node) // its title is written again, perhaps elsewhere
        if (box) pen.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1])
      }
      const links = this.emphasisedLinks(emphasis)
      for (const link of links) {
        const box = this.typeBoxes.get(this.endsOf(link)) // its type, too
        if (box) pen.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1])
      }
      if (canvas.path && !emphasis.isLink) this.paintPath()
      else if (emphasis.centre >= 0) this.paintSimilar(pen, this.similarPairsOf(emphasis.centre), 1.6)
      this.paintEmphasisedLinks(links)
      const nodes = [...emphasis.nodes].filter((node) => canvas.visible[node])
      this.paintNodes(pen, nodes)
      this.paintEmphasisedTitles(space, emphasis, nodes, links)
    }
    for (const node of [canvas.hovered, canvas.selected])
      if (node >= 0 && canvas.visible[node])
        this.paintRing(pen, node, node === canvas.selected ? this.colours.accent : this.colours.text)
  }

  /** Return the visible links of the centre, or those among the emphasised nodes. */
  emphasisedLinks({nodes, centre}) {
    const {links} = this.graph
    const candidates = centre >= 0 ? [centre] : [...nodes]
    const emphasised = new Set()
    for (const node of candidates) {
      for (const link of links.touching(node)) {
        if (nodes.has(links.otherEnd(link, node)) && this.canvas.isLinkVisible(link)) emphasised.add(link)
      }
    }
    return [...emphasised]
  }

  similarPairsOf(node) {
    const {similar} = this.graph
    return [...similar.touching(node)].filter((pair) => this.canvas.visible[similar.otherEnd(pair, node)])
  }

  paintEmphasisedLinks(links) {
    const {overlayPen: pen, graph} = this
    for (const line of ['mention', 'relation', 'replacement']) {
      const sameLine = links
        .filter((link) => this.lines[graph.links.type[link]] === line)
        .map((link) => this.endsInView(link))
        .filter(Boolean)
      pen.strokeStyle = line === 'replacement' ? this.lineColours.replacement : this.colours.accent
      pen.lineWidth = line === 'replacement' ? 2.2 : 1.6
      pen.setLineDash(line === 'mention' ? [5, 3] : [])
      pen.beginPath()
      for (const [x1, y1, x2, y2] of sameLine) {
        pen.moveTo(x1, y1)
        pen.lineTo(x2, y2)
      }
      pen.stroke()
      pen.fillStyle = pen.strokeStyle
      pen.setLineDash([])
      paintArrows(pen, sameLine, 8)
    }
  }

  paintEmphasisedTitles(space, {centre, isLink}, nodes, links) {
    const {overlayPen: pen, canvas} = this
    const byDegree = nodes.sort((one, other) => this.graph.links.degree[other] - this.graph.links.degree[one])
    for (const node of byDegree) space.take(this.discOf(node))
    if (isLink) this.paintHoveredLink(space, links)
    const foremost = [canvas.hovered, canvas.selected, canvas.marked, centre, ...(canvas.path ?? [])]
    const forced = isLink ? nodes : [...new Set(foremost)].filter((node) => nodes.includes(node))
    for (const node of forced) this.paintTitle(pen, space, node, true)
    let remaining = MAX_TITLES
    for (const node of byDegree) {
      if (!forced.includes(node) && this.paintTitle(pen, space, node)) remaining--
      if (!remaining) break
    }
    if (!isLink && links.length <= MAX_TYPED) this.paintTypes(pen, space, links)
  }

  endsOf(link) {
    return `${this.graph.links.source[link]} ${this.graph.links.target[link]}`
  }

  /** Write the types of *links* on them, where there is room. */
  paintTypes(pen, space, links) {
    const {graph, canvas} = this
    const typesBetween = new Map()
    for (const link of links) {
      const key = this.endsOf(link)
      typesBetween.set(key, [...(typesBetween.get(key) ?? []), relationLabel(graph.types[graph.links.type[link]])])
    }
    pen.font = '11px system-ui, sans-serif'
    for (const [key, types] of typesBetween) {
      const [source, target] = key.split(' ').map(Number)
      const [x1, y1] = canvas.positionOf(source)
      const [x2, y2] = canvas.positionOf(target)
      const text = types.join(', ')
      const half = pen.measureText(text).width / 2 + 2
      for (const share of [0.5, 0.4, 0.6, 0.3, 0.7]) {
        const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]
        const box = [x - half, y - 7, x + half, y + 7]
        if (!space.isFree(box)) continue
        space.take(box)
        this.paintText(pen, text, x, y + 4, this.colours.soft, 4)
        if (pen === this.pen) this.typeBoxes.set(key, box)
        break
      }
    }
  }

  /** Write the types of the links between the ends of the link that is pointed at. */
  paintHoveredLink(space, links) {
    const {overlayPen: pen, graph, canvas} = this
    const {source, target, type} = graph.links
    const [x1, y1] = canvas.positionOf(source[canvas.hoveredLink])
    const [x2, y2] = canvas.positionOf(target[canvas.hoveredLink])
    pen.font = BOLD
    const text = [...new Set(links.map((link) => relationLabel(graph.types[type[link]])))].join(', ')
    const half = pen.measureText(text).width / 2 + 6
    const isShort = Math.hypot(x2 - x1, y2 - y1) < 2 * half + 40
    const x = Math.min(Math.max((x1 + x2) / 2, half), canvas.width - half)
    const y = Math.min(Math.max((isShort ? Math.min(y1, y2) - 24 : (y1 + y2) / 2), 12), canvas.height - 12)
    pen.fillStyle = this.colours.text
    pen.beginPath()
    pen.roundRect(x - half, y - 10, 2 * half, 20, 5)
    pen.fill()
    space.take([x - half, y - 10, x + half, y + 10])
    pen.textAlign = 'center'
    pen.fillStyle = this.colours.ground
    pen.fillText(text, x, y + 4)
  }

  paintPath() {
    const {overlayPen: pen, canvas} = this
    pen.strokeStyle = this.colours.accent
    pen.lineWidth = 3.5
    pen.globalAlpha = 0.5
    pen.beginPath()
    canvas.path.forEach((node, index) =>
      index ? pen.lineTo(...canvas.positionOf(node)) : pen.moveTo(...canvas.positionOf(node)),
    )
    pen.stroke()
    pen.globalAlpha = 1
    for (const node of canvas.path) this.paintRing(pen, node, this.colours.accent)
  }
}

/** Fill arrowheads of *size* pixels where each line of *ends* touches the circle of its target. */
function paintArrows(pen, ends, size) {
  pen.beginPath()
  for (const [x1, y1, x2, y2, rim] of ends) {
    const length = Math.hypot(x2 - x1, y2 - y1)
    if (length < rim + size) continue
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
    const [tipX, tipY] = [x2 - ux * (rim + 1), y2 - uy * (rim + 1)]
    const [baseX, baseY] = [tipX - ux * size, tipY - uy * size]
    const half = size * 0.45
    pen.moveTo(tipX, tipY)
    pen.lineTo(baseX - uy * half, baseY + ux * half)
    pen.lineTo(baseX + uy * half, baseY - ux * half)
    pen.closePath()
  }
  pen.fill()
}

/** Return the beginning of *text* that fits into *width* pixels, or '' where not even a few letters do. */
function fittedText(pen, text, width) {
  if (pen.measureText(text).width <= width) return text
  let end = text.length
  while (end > 3 && pen.measureText(`${text.slice(0, end)}…`).width > width) end--
  return end > 3 ? `${text.slice(0, end)}…` : ''
}

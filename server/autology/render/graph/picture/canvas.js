// The canvas of the graph: what is visible, pan and zoom, and the node or link under the pointer. Two layers: the graph,
// and over it what is emphasised, so that hovering never draws the whole graph again.

import {pluralize} from './elements.js'
import {Painter} from './painter.js'

const NATURAL_SPACING = 30 // pixels between neighbours at which nodes are drawn at their natural size
const MAX_SPACING = 100 // pixels between neighbours when a few nodes are fitted into the view
const DARK = matchMedia('(prefers-color-scheme: dark)')
const MANY = 1000 // nodes up to which none is drawn smaller than LEAST_RADIUS
const LEAST_RADIUS = 2.6 // pixels
const LINK_DELAY = 120 // milliseconds on a link until it is emphasised, so that crossing links does not flicker
const RESIZED = 0.2 // share of the window's width or height from which a change of it fits the graph again
const LINK_REACH = 5 // pixels from a link within which the pointer is on it
const MIN_LINK_ZOOM = 8 // pixels between neighbours from which single links can be pointed at

export class Canvas {
  /**
   * Draw *graph* ({nodes, links, positions, boxes, …}); *handlers* are {onSelect, onOpen, onHover}. An *inset* canvas
   * leaves the wheel to the page around it.
   */
  constructor(graph, handlers, inset = false) {
    this.graph = graph
    this.handlers = handlers
    this.inset = inset
    this.visible = new Uint8Array(graph.nodes.length).fill(1)
    this.visibleLinkTypes = new Uint8Array(graph.types.length).fill(1)
    this.view = {x: 0, y: 0, k: NATURAL_SPACING}
    this.selected = -1
    this.hovered = -1
    this.hoveredLink = -1
    this.marked = -1 // the node that the graph is about, if it is about one
    this.highlighted = null // nodes of the shown neighbourhood; null for all
    this.path = null // nodes of the shown path, in order
    this.groupOf = null // each node's group, where nodes are coloured by group
    this.obstacles = [] // elements over the canvas that no title may lie under
    this.covered = {right: 0, bottom: 0} // pixels that the card covers
    this.movedAt = 0
    this.fittedTo = null // the size of the window for which the view was made
    this.order = [...graph.nodes.keys()].sort(
      (one, other) => graph.links.degree[other] - graph.links.degree[one] || one - other,
    )
    this.element = document.createElement('canvas')
    this.element.tabIndex = 0
    this.overlay = document.createElement('canvas')
    this.overlay.className = 'graph-overlay'
    this.overlay.setAttribute('aria-hidden', 'true')
    this.painter = new Painter(this)
    this.listen()
    this.themeChange = null
    new ResizeObserver(() => this.resize()).observe(this.element)
  }

  // ---- pan and zoom ----

  resize() {
    this.followTheme(this.element.isConnected)
    const {clientWidth: width, clientHeight: height} = this.element
    if (!width || !height) return
    this.ratio = Math.min(devicePixelRatio || 1, 2)
    for (const layer of [this.element, this.overlay]) {
      layer.width = Math.round(width * this.ratio)
      layer.height = Math.round(height * this.ratio)
    }
    const isFirst = !this.width
    const [shiftX, shiftY] = [(width - this.width) / 2, (height - this.height) / 2]
    this.width = width
    this.height = height
    this.updateTheme()
    if (!isFirst && !this.isResized()) return
    this.fittedTo = [innerWidth, innerHeight]
    if (!this.movedAt) this.fit(this.path ?? this.highlighted)
    else if (!isFirst) this.pan(shiftX, shiftY) // what the reader moved into the middle stays there
  }

  /** Whether the window has become considerably larger or smaller. */
  isResized() {
    const changed = (now, before) => Math.abs(now - before) > RESIZED * before
    const [width, height] = this.fittedTo ?? [innerWidth, innerHeight]
    return changed(innerWidth, width) || changed(innerHeight, height)
  }

  /** Follow the theme while the canvas is in the page, and let go of the page once it is not. */
  followTheme(isConnected) {
    if (isConnected && !this.themeChange) {
      this.themeChange = new AbortController()
      const {signal} = this.themeChange
      DARK.addEventListener('change', () => this.updateTheme(), {signal})
    } else if (!isConnected && this.themeChange) {
      this.themeChange.abort()
      this.themeChange = null
    }
  }

  updateTheme() {
    this.painter.updateTheme()
    this.draw()
  }

  /** Fit all visible nodes into the view, or only *nodes*. */
  fit(nodes = null) {
    const {positions, boxes} = this.graph
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    const include = (x, y) => {
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    const includeNode = (node) => include(positions[2 * node], positions[2 * node + 1])
    if (nodes) for (const node of nodes) includeNode(node)
    else {
      for (let node = 0; node < this.visible.length; node++) if (this.visible[node]) includeNode(node)
      for (const box of boxes) {
        if (!box.nodes.some((node) => this.visible[node])) continue
        include(box.left, box.top)
        include(box.right, box.bottom)
      }
    }
    if (left > right) return
    const share = 0.9
    const freeWidth = this.width - this.covered.right
    const freeHeight = this.height - this.covered.bottom
    const beside = this.inset ? 2.4 : 1.5 // units around the nodes, for their labels
    const k = Math.min(
      (freeWidth * share) / (right - left + beside),
      (freeHeight * share) / (bottom - top + 1.5),
      MAX_SPACING,
    )
    this.view = {k, x: freeWidth / 2 - (k * (left + right)) / 2, y: freeHeight / 2 - (k * (top + bottom)) / 2}
    this.draw()
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const k = Math.min(Math.max(this.view.k * factor, 0.6), 240)
    const applied = k / this.view.k
    this.view = {k, x: x - (x - this.view.x) * applied, y: y - (y - this.view.y) * applied}
    this.drawInMotion()
  }

  pan(x, y) {
    this.view.x += x
    this.view.y += y
    this.drawInMotion()
  }

  /** Pan to a node if it is outside the view. */
  reveal(node) {
    const [x, y] = this.positionOf(node)
    const margin = 60
    const freeWidth = this.width - this.covered.right
    const freeHeight = this.height - this.covered.bottom
    if (x < margin || y < margin || x > freeWidth - margin || y > freeHeight - margin) this.centre(node)
    else this.draw()
  }

  /** Pan until a node is in the middle, with at least *spacing* pixels between neighbours. */
  centre(node, spacing = 0) {
    const {positions} = this.graph
    const k = Math.max(this.view.k, spacing)
    const x = (this.width - this.covered.right) / 2 - positions[2 * node] * k
    const y = (this.height - this.covered.bottom) / 2 - positions[2 * node + 1] * k
    this.view = {k, x, y}
    this.draw()
  }

  positionOf(node) {
    const {x, y, k} = this.view
    return [this.graph.positions[2 * node] * k + x, this.graph.positions[2 * node + 1] * k + y]
  }

  radius(node) {
    const natural = 3.6 + Math.min(9, 1.25 * Math.sqrt(this.graph.links.degree[node]))
    const scale = Math.min(Math.max(Math.sqrt(this.view.k / NATURAL_SPACING), 0.3), 1.6)
    return this.graph.nodes.length > MANY ? natural * scale : Math.max(natural * scale, LEAST_RADIUS)
  }

  isLinkVisible(link) {
    const {source, target, type} = this.graph.links
    return this.visible[source[link]] && this.visible[target[link]] && this.visibleLinkTypes[type[link]]
  }

  /** Return the visible neighbours of a node. */
  neighbours(node) {
    return this.graph.links.neighbours(node, (link) => this.isLinkVisible(link))
  }

  /** Return the visible nodes that are similar to a node, as far as that is shown. */
  similarTo(node) {
    return this.graph.similar.neighbours(node).filter((other) => this.visible[node] && this.visible[other])
  }

  /** Return the neighbours of a node that the filters hide, over links of types that are shown. */
  neighboursOutside(node) {
    const {links} = this.graph
    return links.neighbours(node, (link) => this.visibleLinkTypes[links.type[link]]).filter((other) => !this.visible[other])
  }

  /** Return the node at a point of the element, or -1. */
  nodeAt(x, y) {
    let nearestNode = -1
    let leastDistance = Infinity
    for (let node = 0; node < this.visible.length; node++) {
      if (!this.visible[node]) continue
      const [left, top] = this.positionOf(node)
      const distance = Math.hypot(left - x, top - y) - this.radius(node)
      if (distance < 6 && distance < leastDistance) {
        leastDistance = distance
        nearestNode = node
      }
    }
    return nearestNode
  }

  /** Return the link at a point of the element, or -1. */
  linkAt(x, y) {
    const {links} = this.graph
    if (this.view.k < MIN_LINK_ZOOM) return -1
    let nearestLink = -1
    let leastDistance = LINK_REACH
    for (let link = 0; link < links.count; link++) {
      if (!this.isLinkVisible(link)) continue
      const distance = distanceToLine(x, y, ...this.positionOf(links.source[link]), ...this.positionOf(links.target[link]))
      if (distance < leastDistance) {
        leastDistance = distance
        nearestLink = link
      }
    }
    return nearestLink
  }

  /** Return the node nearest to the selected one in a direction, or -1. */
  neighbourTowards(dx, dy) {
    const {positions} = this.graph
    const start = this.selected
    if (start < 0 || !this.visible[start]) return this.order.find((node) => this.visible[node]) ?? -1
    let best = -1
    let lowestCost = Infinity
    for (let node = 0; node < this.visible.length; node++) {
      if (!this.visible[node] || node === start) continue
      const x = positions[2 * node] - positions[2 * start]
      const y = positions[2 * node + 1] - positions[2 * start + 1]
      const along = x * dx + y * dy
      const across = Math.abs(x * dy - y * dx)
      if (along <= 0 || across > 2 * along) continue
      const cost = along + 2 * across
      if (cost < lowestCost) {
        lowestCost = cost
        best = node
      }
    }
    return best
  }

  // ---- pointer input ----

  listen() {
    const pointers = new Map()
    let pressedAt = null
    const pointIn = (event) => {
      const box = this.element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, pointIn(event))
      pressedAt = pointIn(event)
    })
    this.element.addEventListener('pointermove', (event) => {
      const [x, y] = pointIn(event)
      const previous = pointers.get(event.pointerId)
      if (!previous) {
        const node = this.nodeAt(x, y)
        const link = node < 0 ? this.linkAt(x, y) : -1
        clearTimeout(this.linkTimer)
        this.hover(node, link === this.hoveredLink ? link : -1)
        if (link >= 0) this.linkTimer = setTimeout(() => this.hover(-1, link), LINK_DELAY)
        return
      }
      const others = [...pointers].filter(([id]) => id !== event.pointerId)
      if (others.length) {
        const [, [ox, oy]] = others[0]
        this.zoom(
          Math.hypot(x - ox, y - oy) / (Math.hypot(previous[0] - ox, previous[1] - oy) || 1),
          (x + ox) / 2,
          (y + oy) / 2,
        )
      } else this.pan(x - previous[0], y - previous[1])
      pointers.set(event.pointerId, [x, y])
    })
    const onPointerUp = (event) => {
      const [x, y] = pointIn(event)
      const isClick = pressedAt && Math.hypot(x - pressedAt[0], y - pressedAt[1]) < 5
      pointers.delete(event.pointerId)
      if (isClick && event.type === 'pointerup') this.handlers.onSelect(this.nodeAt(x, y))
      pressedAt = null
    }
    this.element.addEventListener('pointerup', onPointerUp)
    this.element.addEventListener('pointercancel', onPointerUp)
    this.element.addEventListener('dblclick', (event) => {
      const node = this.nodeAt(...pointIn(event))
      if (node >= 0) this.handlers.onOpen(node)
    })
    this.element.addEventListener(
      'wheel',
      (event) => {
        if (this.inset && !event.ctrlKey) return
        event.preventDefault()
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...pointIn(event))
      },
      {passive: false},
    )
    this.element.addEventListener('pointerleave', () => {
      clearTimeout(this.linkTimer)
      this.hover(-1)
    })
  }

  hover(node, link = -1) {
    if (node === this.hovered && link === this.hoveredLink) return
    this.hovered = node
    this.hoveredLink = link
    this.element.style.cursor = node < 0 ? 'grab' : 'pointer'
    this.element.title = node < 0 ? '' : linkedOutside(this.neighboursOutside(node).length)
    this.drawOverlay()
  }

  // ---- drawing ----

  /**
   * Return what is emphasised while the rest is dimmed, or null: {nodes, centre, isLink}; the centre is -1 where there
   * is none.
   */
  emphasis() {
    const around = (node) => ({
      nodes: new Set([node, ...this.neighbours(node), ...this.similarTo(node)]),
      centre: node,
    })
    if (this.hovered >= 0) return around(this.hovered)
    if (this.hoveredLink >= 0) {
      const {source, target} = this.graph.links
      return {nodes: new Set([source[this.hoveredLink], target[this.hoveredLink]]), centre: -1, isLink: true}
    }
    if (this.highlighted) return {nodes: this.highlighted, centre: -1}
    if (this.path) return {nodes: new Set(this.path), centre: -1}
    return this.selected >= 0 && this.visible[this.selected] ? around(this.selected) : null
  }

  drawInMotion() {
    this.movedAt = performance.now()
    this.draw()
    clearTimeout(this.restTimer)
    this.restTimer = setTimeout(() => this.draw(), 160)
  }

  /** Draw everything in the next frame. */
  draw() {
    this.isStale = true
    this.drawOverlay()
  }

  /** Draw what is emphasised in the next frame. */
  drawOverlay() {
    if (this.frame || !this.width) return
    this.frame = requestAnimationFrame(() => {
      const startedAt = performance.now()
      this.frame = 0
      if (this.isStale) this.painter.paint(startedAt - this.movedAt < 150)
      this.isStale = false
      this.painter.paintOverlay()
      this.frameTime = performance.now() - startedAt
      this.frameCount = (this.frameCount || 0) + 1
    })
  }
}

/** Return that a node has *count* neighbours that the filters hide, '' if it has none. */
export function linkedOutside(count) {
  return count ? `${pluralize(count, 'neighbour')} outside this view` : ''
}

function distanceToLine(x, y, x1, y1, x2, y2) {
  const square = (x2 - x1) ** 2 + (y2 - y1) ** 2
  const along = square ? Math.min(Math.max(((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / square, 0), 1) : 0
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))
}

// Draws the graph on a canvas: visibility, pan and zoom, and the node under the pointer.

const MAX_TITLES = 90 // titles drawn at once; more would be unreadable
const MAX_OBSTACLES = 500 // graphs with more nodes let titles overlap them, because there is no free space
const MAX_CANDIDATES = 1500 // nodes considered for a title in one frame
const MAX_LINKS_IN_MOTION = 2500 // links drawn during pan and zoom; all of them afterwards
const NATURAL_SPACING = 30 // pixels between neighbours at which nodes are drawn at their natural size
const HUE_STEP = 137.508

export class Canvas {
  /** Draw *graph* ({nodes, links, positions, communities, …}); *handlers* are {onSelect, onOpen}. */
  constructor(graph, handlers) {
    this.graph = graph
    this.handlers = handlers
    this.visible = new Uint8Array(graph.nodes.length).fill(1)
    this.view = {x: 0, y: 0, k: NATURAL_SPACING}
    this.selected = -1
    this.hovered = -1
    this.highlighted = null // nodes in full colour, with the others faded; null for all
    this.path = null // nodes of the shown path, in order
    this.coloursByCommunity = false
    this.coveredWidth = 0 // pixels at the right that the card covers
    this.movedAt = 0
    this.order = [...graph.nodes.keys()].sort(
      (one, other) => graph.links.degree[other] - graph.links.degree[one] || one - other,
    )
    this.element = document.createElement('canvas')
    this.element.tabIndex = 0
    this.pen = this.element.getContext('2d', {alpha: false})
    this.listen()
    new ResizeObserver(() => this.resize()).observe(this.element)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.updateTheme())
    new MutationObserver(() => this.updateTheme()).observe(document.documentElement, {attributeFilter: ['data-theme']})
  }

  // ---- pan and zoom ----

  resize() {
    const {clientWidth: width, clientHeight: height} = this.element
    if (!width || !height) return
    const ratio = Math.min(devicePixelRatio || 1, 2)
    this.element.width = Math.round(width * ratio)
    this.element.height = Math.round(height * ratio)
    this.ratio = ratio
    const isFirst = !this.width
    this.width = width
    this.height = height
    this.updateTheme()
    if (isFirst && !this.movedAt) this.fit()
  }

  updateTheme() {
    const style = getComputedStyle(this.element)
    const property = (name) => style.getPropertyValue(name).trim()
    this.colours = {
      ground: property('--ground'),
      text: property('--text'),
      soft: property('--soft'),
      line: property('--link'),
      accent: property('--accent'),
    }
    this.typeColours = new Map()
    for (const node of this.graph.nodes) {
      if (!this.typeColours.has(node.type))
        this.typeColours.set(node.type, property(`--type-${node.type}`) || property('--type-other'))
    }
    this.isDark = property('color-scheme') === 'dark' || property('--is-dark') === '1'
    this.draw()
  }

  /** Fit all visible nodes into the view, or only *nodes*. */
  fit(nodes = null) {
    const {positions} = this.graph
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    const include = (node) => {
      left = Math.min(left, positions[2 * node])
      right = Math.max(right, positions[2 * node])
      top = Math.min(top, positions[2 * node + 1])
      bottom = Math.max(bottom, positions[2 * node + 1])
    }
    if (nodes) for (const node of nodes) include(node)
    else for (let node = 0; node < this.visible.length; node++) if (this.visible[node]) include(node)
    if (left > right) return
    const share = 0.88
    const freeWidth = this.width - this.coveredWidth
    const k = Math.min((freeWidth * share) / (right - left + 2), (this.height * share) / (bottom - top + 2), 70)
    this.view = {k, x: freeWidth / 2 - (k * (left + right)) / 2, y: this.height / 2 - (k * (top + bottom)) / 2}
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
    const freeWidth = this.width - this.coveredWidth
    if (x < margin || y < margin || x > freeWidth - margin || y > this.height - margin) {
      this.view.x += freeWidth / 2 - x
      this.view.y += this.height / 2 - y
    }
    this.draw()
  }

  positionOf(node) {
    const {x, y, k} = this.view
    return [this.graph.positions[2 * node] * k + x, this.graph.positions[2 * node + 1] * k + y]
  }

  radius(node) {
    const natural = 3.2 + Math.min(9, 1.25 * Math.sqrt(this.graph.links.degree[node]))
    return natural * Math.min(Math.max(Math.sqrt(this.view.k / NATURAL_SPACING), 0.3), 2)
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

  /** Return the node nearest to the selected one in a direction, or -1. */
  neighbourTowards(dx, dy) {
    const {positions} = this.graph
    const start = this.selected
    if (start < 0) return this.order.find((node) => this.visible[node]) ?? -1
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
        this.hover(this.nodeAt(x, y))
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
        event.preventDefault()
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...pointIn(event))
      },
      {passive: false},
    )
    this.element.addEventListener('pointerleave', () => this.hover(-1))
  }

  hover(node) {
    if (node === this.hovered) return
    this.hovered = node
    this.element.style.cursor = node < 0 ? 'grab' : 'pointer'
    this.draw()
  }

  // ---- drawing ----

  drawInMotion() {
    this.movedAt = performance.now()
    this.draw()
    clearTimeout(this.restTimer)
    this.restTimer = setTimeout(() => this.draw(), 160)
  }

  draw() {
    if (this.frame || !this.width) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.paint()
    })
  }

  paint() {
    const {pen} = this
    const startedAt = performance.now()
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    pen.fillStyle = this.colours.ground
    pen.fillRect(0, 0, this.width, this.height)
    this.paintLinks(performance.now() - this.movedAt < 150)
    this.paintNodes()
    if (this.path) this.paintPath()
    this.paintTitles()
    for (const node of [this.hovered, this.selected]) if (node >= 0) this.paintRing(node)
    this.frameTime = performance.now() - startedAt
    this.frameCount = (this.frameCount || 0) + 1
  }

  paintLinks(isMoving) {
    const {links, positions} = this.graph
    const {x, y, k} = this.view
    const isDrawn = (node) => this.visible[node] && (!this.highlighted || this.highlighted.has(node))
    const skipsOutside = k > 14 && links.count > 400
    const isOutside = (left, top) => left < 0 || top < 0 || left > this.width || top > this.height
    const stride = isMoving ? Math.max(1, Math.ceil(links.count / MAX_LINKS_IN_MOTION)) : 1
    const {pen} = this
    pen.lineWidth = k > 14 ? 1.1 : 0.7
    pen.strokeStyle = this.colours.line
    pen.globalAlpha = links.count > 4000 && k < 14 ? 0.35 : 0.75
    pen.beginPath()
    for (let link = 0; link < links.count; link += stride) {
      const one = links.source[link]
      const other = links.target[link]
      if (!isDrawn(one) || !isDrawn(other)) continue
      const x1 = positions[2 * one] * k + x
      const y1 = positions[2 * one + 1] * k + y
      const x2 = positions[2 * other] * k + x
      const y2 = positions[2 * other + 1] * k + y
      if (skipsOutside && isOutside(x1, y1) && isOutside(x2, y2)) continue // it would only cross the view
      if (
        (x1 < 0 && x2 < 0) ||
        (y1 < 0 && y2 < 0) ||
        (x1 > this.width && x2 > this.width) ||
        (y1 > this.height && y2 > this.height)
      )
        continue
      pen.moveTo(x1, y1)
      pen.lineTo(x2, y2)
    }
    pen.stroke()
    pen.globalAlpha = 1
    if (this.selected >= 0 && this.visible[this.selected]) this.paintSelectedLinks()
  }

  paintSelectedLinks() {
    const {pen} = this
    const {links, types} = this.graph
    const [x, y] = this.positionOf(this.selected)
    pen.strokeStyle = this.colours.accent
    pen.lineWidth = 1.6
    pen.beginPath()
    const showsTypes = links.touching(this.selected).length <= 24 && this.view.k > 18
    for (const link of links.touching(this.selected)) {
      const other = links.otherEnd(link, this.selected)
      if (!this.visible[other]) continue
      const [ox, oy] = this.positionOf(other)
      pen.moveTo(x, y)
      pen.lineTo(ox, oy)
      // The arrowhead touches the target's circle.
      const [fx, fy, tx, ty, rim] =
        links.source[link] === this.selected
          ? [x, y, ox, oy, this.radius(other)]
          : [ox, oy, x, y, this.radius(this.selected)]
      const angle = Math.atan2(ty - fy, tx - fx)
      const hx = tx - Math.cos(angle) * (rim + 1)
      const hy = ty - Math.sin(angle) * (rim + 1)
      for (const side of [2.65, -2.65]) {
        pen.moveTo(hx, hy)
        pen.lineTo(hx + 7 * Math.cos(angle + side), hy + 7 * Math.sin(angle + side))
      }
    }
    pen.stroke()
    if (!showsTypes) return
    pen.font = '10px system-ui, sans-serif'
    pen.textAlign = 'center'
    const typesByNode = new Map()
    for (const link of links.touching(this.selected)) {
      const other = links.otherEnd(link, this.selected)
      if (this.visible[other])
        typesByNode.set(other, [
          ...(typesByNode.get(other) ?? []),
          types[links.type[link]].toLowerCase().replaceAll('_', ' '),
        ])
    }
    for (const [other, linkTypes] of typesByNode) {
      const [ox, oy] = this.positionOf(other)
      const text = linkTypes.join(', ')
      if (Math.hypot(ox - x, oy - y) > 40 + 5 * text.length)
        this.paintText(text, (x + ox) / 2, (y + oy) / 2, this.colours.soft)
    }
  }

  colourOf(node) {
    const {type, community} = this.graph.nodes[node]
    if (!this.coloursByCommunity) return this.typeColours.get(type)
    return community ? `hsl(${(community * HUE_STEP) % 360} 55% ${this.isDark ? 62 : 46}%)` : this.colours.soft
  }

  paintNodes() {
    const {pen} = this
    const nodesByColour = new Map()
    for (let node = 0; node < this.visible.length; node++) {
      if (!this.visible[node]) continue
      const [x, y] = this.positionOf(node)
      if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 20) continue
      const isFaded = this.highlighted && !this.highlighted.has(node)
      const key = (isFaded ? '-' : '+') + this.colourOf(node)
      const sameColour = nodesByColour.get(key)
      if (sameColour) sameColour.push(node)
      else nodesByColour.set(key, [node])
    }
    for (const [key, nodes] of [...nodesByColour].sort()) {
      pen.globalAlpha = key[0] === '-' ? 0.15 : 1
      pen.fillStyle = key.slice(1)
      pen.beginPath()
      for (const node of nodes) {
        const [x, y] = this.positionOf(node)
        const radius = this.radius(node)
        if (radius < 2.2) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius)
        else {
          pen.moveTo(x + radius, y)
          pen.arc(x, y, radius, 0, 7)
        }
      }
      pen.fill()
    }
    pen.globalAlpha = 1
    this.paintSuperseded()
  }

  /** Draw superseded nodes hollow. */
  paintSuperseded() {
    const {pen} = this
    if (this.view.k < 8) return
    pen.fillStyle = this.colours.ground
    pen.beginPath()
    for (let node = 0; node < this.visible.length; node++) {
      if (!this.visible[node] || this.graph.nodes[node].status !== 'superseded') continue
      const [x, y] = this.positionOf(node)
      const radius = this.radius(node) * 0.55
      pen.moveTo(x + radius, y)
      pen.arc(x, y, radius, 0, 7)
    }
    pen.fill()
  }

  paintPath() {
    const {pen} = this
    pen.strokeStyle = this.colours.accent
    pen.lineWidth = 3.5
    pen.beginPath()
    this.path.forEach((node, index) =>
      index ? pen.lineTo(...this.positionOf(node)) : pen.moveTo(...this.positionOf(node)),
    )
    pen.stroke()
    for (const node of this.path) this.paintRing(node)
  }

  paintRing(node) {
    if (!this.visible[node]) return
    const {pen} = this
    const [x, y] = this.positionOf(node)
    pen.strokeStyle = node === this.hovered && node !== this.selected ? this.colours.text : this.colours.accent
    pen.lineWidth = 2.2
    pen.beginPath()
    pen.arc(x, y, this.radius(node) + 3, 0, 7)
    pen.stroke()
  }

  paintTitles() {
    const {pen} = this
    const occupied = []
    const isFree = (box) =>
      occupied.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1])
    pen.textAlign = 'center'
    const alwaysTitled = new Set([this.selected, this.hovered, ...(this.path || [])].filter((node) => node >= 0))
    const paintTitle = (node, isForced) => {
      const [x, y] = this.positionOf(node)
      if (x < 0 || y < 0 || x > this.width || y > this.height) return false
      const text = truncate(this.graph.nodes[node].title, isForced ? 60 : 34)
      const half = text.length * 3.2 + 4
      const rim = this.radius(node) + 3
      const spots = [
        [x, y + rim],
        [x, y - rim - 15],
        [x + half + rim, y - 7],
        [x - half - rim, y - 7],
      ]
      const box = ([middle, top]) => [middle - half, top, middle + half, top + 15]
      const spot = spots.find((candidate) => isFree(box(candidate))) ?? (isForced ? spots[0] : null)
      if (!spot) return false
      occupied.push(box(spot))
      pen.font = `${isForced ? 600 : 400} 12px system-ui, sans-serif`
      this.paintText(text, spot[0], spot[1] + 12, this.colours.text)
      return true
    }
    if (this.order.length <= MAX_OBSTACLES) {
      for (const node of this.order) {
        const [x, y] = this.positionOf(node)
        const rim = this.radius(node)
        if (this.visible[node]) occupied.push([x - rim, y - rim, x + rim, y + rim])
      }
    }
    const isZoomedOut = this.view.k < 9
    if (isZoomedOut) this.paintCommunityNames(occupied)
    for (const node of alwaysTitled) if (this.visible[node]) paintTitle(node, true)
    if (isZoomedOut && this.order.length > 400) return
    let remaining = MAX_TITLES
    let examined = 0
    for (const node of this.order) {
      if (!this.visible[node] || alwaysTitled.has(node) || (this.highlighted && !this.highlighted.has(node))) continue
      const [x, y] = this.positionOf(node)
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue
      if (paintTitle(node, false)) remaining--
      if (!remaining || ++examined > MAX_CANDIDATES) break
    }
  }

  paintCommunityNames(occupied) {
    const {pen} = this
    pen.font = '600 13px system-ui, sans-serif'
    for (const {name, nodes} of this.graph.communities) {
      let [x, y, count] = [0, 0, 0]
      for (const node of nodes) {
        if (!this.visible[node] || (this.highlighted && !this.highlighted.has(node))) continue
        const [left, top] = this.positionOf(node)
        x += left
        y += top
        count++
      }
      if (!count) continue
      const half = name.length * 3.9 + 6
      const box = [x / count - half, y / count - 11, x / count + half, y / count + 9]
      if (occupied.some((other) => !(box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1])))
        continue
      occupied.push(box)
      this.paintText(name, x / count, y / count + 4, this.colours.text, 4)
    }
  }

  paintText(text, x, y, ink, halo = 3) {
    const {pen} = this
    pen.lineJoin = 'round'
    pen.lineWidth = halo
    pen.strokeStyle = this.colours.ground
    pen.strokeText(text, x, y)
    pen.fillStyle = ink
    pen.fillText(text, x, y)
  }
}

function truncate(text, limit) {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text
}

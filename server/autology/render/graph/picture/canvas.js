// The graph drawn: what is shown, where it is looked at, and what lies under the pointer.

const LABELS = 90 // titles written at once: more are read by nobody
const CLEAR = 500 // nodes that no title may lie over: of more there is no room beside them
const LOOKED = 1500 // nodes looked at for a title in one frame
const IN_MOTION = 2500 // links drawn while the picture moves; all of them once it rests
const NATURAL = 30 // pixels between neighbours at which a node has its natural size
const HUES = 137.508

export class Canvas {
  /** Draw *graph* ({nodes, links, at, names of communities}) in *element*; *told* hears what is pointed at and chosen. */
  constructor(graph, told) {
    this.graph = graph
    this.told = told
    this.shown = new Uint8Array(graph.nodes.length).fill(1)
    this.view = {x: 0, y: 0, k: NATURAL}
    this.chosen = -1
    this.pointed = -1
    this.bright = null // nodes that stand out, the others pale; null for all alike
    this.way = null // nodes of a way, in order
    this.byCommunity = false
    this.covered = 0 // pixels at the right that something lies over
    this.moving = 0
    this.order = [...graph.nodes.keys()].sort(
      (one, other) => graph.links.degree[other] - graph.links.degree[one] || one - other,
    )
    this.element = document.createElement('canvas')
    this.element.tabIndex = 0
    this.pen = this.element.getContext('2d', {alpha: false})
    this.listen()
    new ResizeObserver(() => this.resized()).observe(this.element)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.themed())
    new MutationObserver(() => this.themed()).observe(document.documentElement, {attributeFilter: ['data-theme']})
  }

  // ---- where it is looked at ----

  resized() {
    const {clientWidth: width, clientHeight: height} = this.element
    if (!width || !height) return
    const ratio = Math.min(devicePixelRatio || 1, 2)
    this.element.width = Math.round(width * ratio)
    this.element.height = Math.round(height * ratio)
    this.ratio = ratio
    const first = !this.width
    this.width = width
    this.height = height
    this.themed()
    if (first) this.fit()
  }

  themed() {
    const style = getComputedStyle(this.element)
    const read = (name) => style.getPropertyValue(name).trim()
    this.ink = {
      ground: read('--ground'),
      text: read('--text'),
      soft: read('--soft'),
      line: read('--link'),
      accent: read('--accent'),
    }
    this.typeInk = new Map()
    for (const node of this.graph.nodes) {
      if (!this.typeInk.has(node.type)) this.typeInk.set(node.type, read(`--type-${node.type}`) || read('--type-other'))
    }
    this.dark = read('color-scheme') === 'dark' || read('--is-dark') === '1'
    this.draw()
  }

  /** Look at all that is shown, or at *nodes* alone. */
  fit(nodes = null) {
    const {at} = this.graph
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    const take = (node) => {
      left = Math.min(left, at[2 * node])
      right = Math.max(right, at[2 * node])
      top = Math.min(top, at[2 * node + 1])
      bottom = Math.max(bottom, at[2 * node + 1])
    }
    if (nodes) for (const node of nodes) take(node)
    else for (let node = 0; node < this.shown.length; node++) if (this.shown[node]) take(node)
    if (left > right) return
    const room = 0.88
    const wide = this.width - this.covered
    const k = Math.min((wide * room) / (right - left + 2), (this.height * room) / (bottom - top + 2), 70)
    this.view = {k, x: wide / 2 - (k * (left + right)) / 2, y: this.height / 2 - (k * (top + bottom)) / 2}
    this.draw()
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const k = Math.min(Math.max(this.view.k * factor, 0.6), 240)
    const real = k / this.view.k
    this.view = {k, x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real}
    this.inMotion()
  }

  pan(x, y) {
    this.view.x += x
    this.view.y += y
    this.inMotion()
  }

  /** Bring a node into sight, if it is not. */
  reveal(node) {
    const [x, y] = this.spot(node)
    const edge = 60
    const wide = this.width - this.covered
    if (x < edge || y < edge || x > wide - edge || y > this.height - edge) {
      this.view.x += wide / 2 - x
      this.view.y += this.height / 2 - y
    }
    this.draw()
  }

  spot(node) {
    const {x, y, k} = this.view
    return [this.graph.at[2 * node] * k + x, this.graph.at[2 * node + 1] * k + y]
  }

  radius(node) {
    const natural = 3.2 + Math.min(9, 1.25 * Math.sqrt(this.graph.links.degree[node]))
    return natural * Math.min(Math.max(Math.sqrt(this.view.k / NATURAL), 0.3), 2)
  }

  /** Return the node at a spot of the element, or -1. */
  under(x, y) {
    let found = -1
    let nearest = Infinity
    for (let node = 0; node < this.shown.length; node++) {
      if (!this.shown[node]) continue
      const [left, top] = this.spot(node)
      const far = Math.hypot(left - x, top - y) - this.radius(node)
      if (far < 6 && far < nearest) {
        nearest = far
        found = node
      }
    }
    return found
  }

  /** Return the node that lies nearest to the chosen one in a direction, or -1. */
  beside(dx, dy) {
    const {at} = this.graph
    const from = this.chosen
    if (from < 0) return this.order.find((node) => this.shown[node]) ?? -1
    let found = -1
    let least = Infinity
    for (let node = 0; node < this.shown.length; node++) {
      if (!this.shown[node] || node === from) continue
      const x = at[2 * node] - at[2 * from]
      const y = at[2 * node + 1] - at[2 * from + 1]
      const along = x * dx + y * dy
      const aside = Math.abs(x * dy - y * dx)
      if (along <= 0 || aside > 2 * along) continue
      const cost = along + 2 * aside
      if (cost < least) {
        least = cost
        found = node
      }
    }
    return found
  }

  // ---- hands ----

  listen() {
    const held = new Map()
    let pressed = null
    const place = (event) => {
      const box = this.element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId)
      held.set(event.pointerId, place(event))
      pressed = place(event)
    })
    this.element.addEventListener('pointermove', (event) => {
      const [x, y] = place(event)
      const before = held.get(event.pointerId)
      if (!before) {
        this.point(this.under(x, y))
        return
      }
      const others = [...held].filter(([id]) => id !== event.pointerId)
      if (others.length) {
        const [, [ox, oy]] = others[0]
        this.zoom(
          Math.hypot(x - ox, y - oy) / (Math.hypot(before[0] - ox, before[1] - oy) || 1),
          (x + ox) / 2,
          (y + oy) / 2,
        )
      } else this.pan(x - before[0], y - before[1])
      held.set(event.pointerId, [x, y])
    })
    const up = (event) => {
      const [x, y] = place(event)
      const still = pressed && Math.hypot(x - pressed[0], y - pressed[1]) < 5
      held.delete(event.pointerId)
      if (still && event.type === 'pointerup') this.told.chosen(this.under(x, y))
      pressed = null
    }
    this.element.addEventListener('pointerup', up)
    this.element.addEventListener('pointercancel', up)
    this.element.addEventListener('dblclick', (event) => {
      const node = this.under(...place(event))
      if (node >= 0) this.told.opened(node)
    })
    this.element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...place(event))
      },
      {passive: false},
    )
    this.element.addEventListener('pointerleave', () => this.point(-1))
  }

  point(node) {
    if (node === this.pointed) return
    this.pointed = node
    this.element.style.cursor = node < 0 ? 'grab' : 'pointer'
    this.draw()
  }

  // ---- drawing ----

  inMotion() {
    this.moving = performance.now()
    this.draw()
    clearTimeout(this.rest)
    this.rest = setTimeout(() => this.draw(), 160)
  }

  draw() {
    if (this.waiting || !this.width) return
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0
      this.paint()
    })
  }

  paint() {
    const {pen} = this
    const begun = performance.now()
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    pen.fillStyle = this.ink.ground
    pen.fillRect(0, 0, this.width, this.height)
    this.paintLinks(performance.now() - this.moving < 150)
    this.paintNodes()
    if (this.way) this.paintWay()
    this.paintNames()
    for (const node of [this.pointed, this.chosen]) if (node >= 0) this.ring(node)
    this.cost = performance.now() - begun
    this.painted = (this.painted || 0) + 1
  }

  paintLinks(hurried) {
    const {links, at} = this.graph
    const {x, y, k} = this.view
    const stands = (node) => this.shown[node] && (!this.bright || this.bright.has(node))
    const near = k > 14 && links.many > 400
    const outside = (left, top) => left < 0 || top < 0 || left > this.width || top > this.height
    const stride = hurried ? Math.max(1, Math.ceil(links.many / IN_MOTION)) : 1
    const {pen} = this
    pen.lineWidth = k > 14 ? 1.1 : 0.7
    pen.strokeStyle = this.ink.line
    pen.globalAlpha = links.many > 4000 && k < 14 ? 0.35 : 0.75
    pen.beginPath()
    for (let link = 0; link < links.many; link += stride) {
      const one = links.source[link]
      const other = links.target[link]
      if (!stands(one) || !stands(other)) continue
      const x1 = at[2 * one] * k + x
      const y1 = at[2 * one + 1] * k + y
      const x2 = at[2 * other] * k + x
      const y2 = at[2 * other + 1] * k + y
      if (near && outside(x1, y1) && outside(x2, y2)) continue // they only cross what is looked at
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
    if (this.chosen >= 0 && this.shown[this.chosen]) this.paintChosenLinks()
  }

  paintChosenLinks() {
    const {pen} = this
    const {links, types} = this.graph
    const [x, y] = this.spot(this.chosen)
    pen.strokeStyle = this.ink.accent
    pen.lineWidth = 1.6
    pen.beginPath()
    const named = links.of(this.chosen).length <= 24 && this.view.k > 18
    for (const link of links.of(this.chosen)) {
      const other = links.other(link, this.chosen)
      if (!this.shown[other]) continue
      const [ox, oy] = this.spot(other)
      pen.moveTo(x, y)
      pen.lineTo(ox, oy)
      // An arrow's head stands at the rim of the target.
      const [fx, fy, tx, ty, rim] =
        links.source[link] === this.chosen
          ? [x, y, ox, oy, this.radius(other)]
          : [ox, oy, x, y, this.radius(this.chosen)]
      const angle = Math.atan2(ty - fy, tx - fx)
      const hx = tx - Math.cos(angle) * (rim + 1)
      const hy = ty - Math.sin(angle) * (rim + 1)
      for (const turn of [2.65, -2.65]) {
        pen.moveTo(hx, hy)
        pen.lineTo(hx + 7 * Math.cos(angle + turn), hy + 7 * Math.sin(angle + turn))
      }
    }
    pen.stroke()
    if (!named) return
    pen.font = '10px system-ui, sans-serif'
    pen.textAlign = 'center'
    const names = new Map()
    for (const link of links.of(this.chosen)) {
      const other = links.other(link, this.chosen)
      if (this.shown[other])
        names.set(other, [...(names.get(other) ?? []), types[links.type[link]].toLowerCase().replaceAll('_', ' ')])
    }
    for (const [other, some] of names) {
      const [ox, oy] = this.spot(other)
      const text = some.join(', ')
      if (Math.hypot(ox - x, oy - y) > 40 + 5 * text.length)
        this.written(text, (x + ox) / 2, (y + oy) / 2, this.ink.soft)
    }
  }

  inkOf(node) {
    const {type, community} = this.graph.nodes[node]
    if (!this.byCommunity) return this.typeInk.get(type)
    return community ? `hsl(${(community * HUES) % 360} 55% ${this.dark ? 62 : 46}%)` : this.ink.soft
  }

  paintNodes() {
    const {pen} = this
    const inks = new Map()
    for (let node = 0; node < this.shown.length; node++) {
      if (!this.shown[node]) continue
      const [x, y] = this.spot(node)
      if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 20) continue
      const pale = this.bright && !this.bright.has(node)
      const key = (pale ? '-' : '+') + this.inkOf(node)
      const held = inks.get(key)
      if (held) held.push(node)
      else inks.set(key, [node])
    }
    for (const [key, nodes] of [...inks].sort()) {
      pen.globalAlpha = key[0] === '-' ? 0.15 : 1
      pen.fillStyle = key.slice(1)
      pen.beginPath()
      for (const node of nodes) {
        const [x, y] = this.spot(node)
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
    this.paintReplaced()
  }

  /** What no longer holds is hollow. */
  paintReplaced() {
    const {pen} = this
    if (this.view.k < 8) return
    pen.fillStyle = this.ink.ground
    pen.beginPath()
    for (let node = 0; node < this.shown.length; node++) {
      if (!this.shown[node] || this.graph.nodes[node].status !== 'superseded') continue
      const [x, y] = this.spot(node)
      const radius = this.radius(node) * 0.55
      pen.moveTo(x + radius, y)
      pen.arc(x, y, radius, 0, 7)
    }
    pen.fill()
  }

  paintWay() {
    const {pen} = this
    pen.strokeStyle = this.ink.accent
    pen.lineWidth = 3.5
    pen.beginPath()
    this.way.forEach((node, place) => (place ? pen.lineTo(...this.spot(node)) : pen.moveTo(...this.spot(node))))
    pen.stroke()
    for (const node of this.way) this.ring(node)
  }

  ring(node) {
    if (!this.shown[node]) return
    const {pen} = this
    const [x, y] = this.spot(node)
    pen.strokeStyle = node === this.pointed && node !== this.chosen ? this.ink.text : this.ink.accent
    pen.lineWidth = 2.2
    pen.beginPath()
    pen.arc(x, y, this.radius(node) + 3, 0, 7)
    pen.stroke()
  }

  paintNames() {
    const {pen} = this
    const taken = []
    const free = (box) =>
      taken.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1])
    pen.textAlign = 'center'
    const forced = new Set([this.chosen, this.pointed, ...(this.way || [])].filter((node) => node >= 0))
    const write = (node, always) => {
      const [x, y] = this.spot(node)
      if (x < 0 || y < 0 || x > this.width || y > this.height) return false
      const text = shortened(this.graph.nodes[node].title, always ? 60 : 34)
      const half = text.length * 3.2 + 4
      const rim = this.radius(node) + 3
      const places = [
        [x, y + rim],
        [x, y - rim - 15],
        [x + half + rim, y - 7],
        [x - half - rim, y - 7],
      ]
      const box = ([middle, top]) => [middle - half, top, middle + half, top + 15]
      const place = places.find((each) => free(box(each))) ?? (always ? places[0] : null)
      if (!place) return false
      taken.push(box(place))
      pen.font = `${always ? 600 : 400} 12px system-ui, sans-serif`
      this.written(text, place[0], place[1] + 12, this.ink.text)
      return true
    }
    if (this.order.length <= CLEAR) {
      for (const node of this.order) {
        const [x, y] = this.spot(node)
        const rim = this.radius(node)
        if (this.shown[node]) taken.push([x - rim, y - rim, x + rim, y + rim])
      }
    }
    const far = this.view.k < 9
    if (far) this.paintCommunities(taken)
    for (const node of forced) if (this.shown[node]) write(node, true)
    if (far && this.order.length > 400) return
    let left = LABELS
    let looked = 0
    for (const node of this.order) {
      if (!this.shown[node] || forced.has(node) || (this.bright && !this.bright.has(node))) continue
      const [x, y] = this.spot(node)
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue
      if (write(node, false)) left--
      if (!left || ++looked > LOOKED) break
    }
  }

  paintCommunities(taken) {
    const {pen} = this
    pen.font = '600 13px system-ui, sans-serif'
    for (const {name, nodes} of this.graph.communities) {
      let [x, y, many] = [0, 0, 0]
      for (const node of nodes) {
        if (!this.shown[node] || (this.bright && !this.bright.has(node))) continue
        const [left, top] = this.spot(node)
        x += left
        y += top
        many++
      }
      if (!many) continue
      const half = name.length * 3.9 + 6
      const box = [x / many - half, y / many - 11, x / many + half, y / many + 9]
      if (taken.some((other) => !(box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1])))
        continue
      taken.push(box)
      this.written(name, x / many, y / many + 4, this.ink.text, 4)
    }
  }

  written(text, x, y, ink, halo = 3) {
    const {pen} = this
    pen.lineJoin = 'round'
    pen.lineWidth = halo
    pen.strokeStyle = this.ink.ground
    pen.strokeText(text, x, y)
    pen.fillStyle = ink
    pen.fillText(text, x, y)
  }
}

function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

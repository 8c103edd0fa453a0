// The interactive graph: filters, search, neighbourhoods and shortest paths; used by the page and the exported files.

import {Canvas} from './canvas.js'
import {cardContent} from './card.js'
import {pluralize, fill, make} from './elements.js'
import {Filters, filterControls} from './filters.js'
import {groupsOf} from './grouping.js'
import {arrange} from './layout.js'
import {pairsOf, readGraph} from './graph.js'
import {keepPlaces} from './keeping.js'
import {unlinkedList} from './unlinked.js'

const LAYOUT_SLICE = 12 // milliseconds of layout work between two frames
const FRAME_PAUSE = 120 // milliseconds between two frames while the layout goes on
const CARD_WIDTH = 340 // pixels, of the card of the selected note
const NARROW = 700 // pixels of the stage below which the card lies at the bottom
const NEAR = 24 // pixels between neighbours at which a note that was asked for is shown
const MAX_SUGGESTIONS = 12
const HAS_TOUCH = matchMedia('(pointer: coarse)').matches
const KEYS =
  'The graph. Arrow keys go from note to note, Enter opens one, plus and minus zoom, 0 shows all, f shows a note’s neighbourhood, p starts a path at a note and ends it at another.'

/**
 * Create the explorer of a graph, given as *data* in the server's format. Options:
 * *loadSimilar* returns the same data with the pairs of similar nodes, where *data* lacks them;
 * *hrefOf* returns the address of a node, if nodes open;
 * *parameters* are those of an address, with filters and grouping; *onChange* gets them, and the selected id, when they change;
 * *previous* is the explorer of the graph before a change: what is seen stays where it is.
 */
export function explorer(data, {hrefOf = () => null, parameters, onChange = () => {}, loadSimilar, previous = null} = {}) {
  const graph = readGraph(data)
  const none = graph.similar
  const filters = previous ? previous.filters : new Filters(parameters)
  const state = {pathStart: -1, groups: null, run: 0, count: 0}
  const passing = new Uint8Array(graph.nodes.length)
  const canvas = new Canvas(graph, {
    onSelect: (node) => select(node),
    onOpen: (node) => open(node),
  })
  canvas.element.setAttribute('role', 'application')
  canvas.element.setAttribute('aria-label', KEYS)
  const status = make('p.graph-status', {role: 'status', 'aria-live': 'polite'})
  const announcement = make('p.unseen', {role: 'status', 'aria-live': 'polite'})
  const empty = make('div.graph-empty', {hidden: true})
  const card = make('section.graph-card', {hidden: true, 'aria-label': 'Selected note'})
  const suggestions = make('ul.graph-suggestions', {hidden: true})
  const searchField = make('input', {
    type: 'search',
    placeholder: 'Find a note',
    'aria-label': 'Find a note in the graph',
    oninput: suggest,
    onkeydown: onSearchKeydown,
  })
  const aside = unlinkedList(graph, filters, hrefOf, onFilter)
  const controls = make('div.graph-controls', {id: 'graph-controls'})
  const disclosure = make(
    'button.graph-disclosure',
    {
      type: 'button',
      'aria-expanded': 'false',
      'aria-controls': 'graph-controls',
      onclick: () => disclose(disclosure.getAttribute('aria-expanded') !== 'true'),
    },
    'Filters',
  )
  const zoom = make(
    'div.graph-zoom',
    {role: 'group', 'aria-label': 'Zoom'},
    iconButton('+', 'Zoom in', () => canvas.zoom(1.4)),
    iconButton('−', 'Zoom out', () => canvas.zoom(1 / 1.4)),
    iconButton(make('i.icon-all'), 'Show all', () => canvas.fit()),
  )
  canvas.obstacles = [zoom, status, card]
  const element = make(
    'div.graph',
    {},
    make(
      'div.graph-filters',
      {role: 'group', 'aria-label': 'Filters'},
      make('div.graph-search', {}, searchField, suggestions),
      disclosure,
      controls,
    ),
    make(
      'div.graph-stage',
      {},
      canvas.element,
      canvas.overlay,
      empty,
      card,
      zoom,
      status,
      announcement,
    ),
  )
  canvas.element.addEventListener('keydown', onKeydown)
  showControls()
  connectSimilar()
  aside.element.open = undrawn().length > graph.nodes.length / 2
  group()
  applyFilters()
  if (previous?.element.dataset.settled === 'yes' && previous.canvas.width && isDrawnLike(previous)) carryOver()
  else layOut()

  // ---- layout ----

  /** Lay out what is drawn, between frames; everything is fitted into the view until the reader moves it. */
  function layOut() {
    const run = ++state.run
    const rounds = arrange(graph, drawnNodes(), {groups: state.groups, isTall: innerHeight > innerWidth})
    let drawnAt = 0
    element.dataset.settled = 'no'
    const step = () => {
      if (run !== state.run) return
      const deadline = performance.now() + LAYOUT_SLICE
      let isDone = false
      while (!isDone && performance.now() < deadline) isDone = rounds.next().done
      if (isDone || performance.now() - drawnAt > FRAME_PAUSE) {
        drawnAt = performance.now()
        if (!canvas.movedAt && canvas.selected < 0 && canvas.width) canvas.fit()
        else canvas.draw()
      }
      if (isDone) element.dataset.settled = 'yes'
      else setTimeout(step, 0)
    }
    step()
  }

  function group() {
    const by = filters.group
    const drawn = new Uint8Array(graph.nodes.length)
    for (const node of drawnNodes()) drawn[node] = 1
    state.groups = by
      ? groupsOf(graph, by)
          .map(({name, nodes}) => ({name, nodes: nodes.filter((node) => drawn[node])}))
          .filter(({nodes}) => nodes.length)
      : null
    colour()
  }

  /** Colour the nodes by their types, or by their groups; without groups, by their clusters. */
  function colour() {
    canvas.groupOf = filters.colour === 'group' ? new Uint32Array(graph.nodes.length) : null
    if (canvas.groupOf)
      groupsOf(graph, filters.group || 'cluster').forEach(({nodes, isRest}, number) => {
        if (!isRest) for (const node of nodes) canvas.groupOf[node] = number + 1
      })
  }

  function drawnNodes() {
    return [...graph.nodes.keys()].filter((node) => isDrawn(node))
  }

  function isDrawn(node) {
    return filters.unlinked || isConnected(node)
  }

  function isConnected(node) {
    return graph.isLinked[node] || graph.similar.hasNeighbour(node)
  }

  /** Return the nodes that no line leads to, sorted by title. */
  function undrawn() {
    return graph.unlinked.filter((node) => !isConnected(node))
  }

  /** Connect similar nodes, or no longer; their pairs may have to be loaded first. */
  function connectSimilar() {
    const shows = filters.showsSimilar(graph)
    graph.similar = shows && graph.pairs ? graph.pairs : none
    if (shows && !graph.pairs) readSimilar()
  }

  /** Load the pairs of similar nodes, unless the graph has changed meanwhile and is about to be loaded again. */
  async function readSimilar() {
    const loaded = await loadSimilar?.()
    if (loaded?.nodes.length !== graph.nodes.length || loaded.nodes.some(({id}, node) => id !== graph.nodes[node].id)) return
    graph.pairs = pairsOf(loaded)
    if (filters.showsSimilar(graph)) onFilter('similar')
  }

  /** Whether a graph was drawn with the same kinds of lines. */
  function isDrawnLike(other) {
    return Boolean(other.canvas.graph.similar.count) === Boolean(graph.similar.count)
  }

  /** Leave what is seen where it was in the previous graph. */
  function carryOver() {
    const {graph: before, view, selected, movedAt} = previous.canvas
    if (!keepPlaces(graph, drawnNodes(), before, previous.isDrawn, state.groups)) {
      layOut()
      return
    }
    canvas.view = {...view}
    canvas.movedAt = movedAt || performance.now()
    const id = before.nodes[selected]?.id
    const again = id ? graph.nodes.findIndex((node) => node.id === id) : -1
    if (again >= 0) select(again)
    element.dataset.settled = 'yes'
  }

  // ---- filters ----

  function showControls() {
    fill(controls, filterControls(graph, filters, onFilter), aside.element)
  }

  function onFilter(name) {
    if (name === 'similar') {
      connectSimilar()
      showAgain('[aria-describedby=similar-hint]')
    }
    if (name === 'group' || name === 'unlinked' || name === 'similar') {
      group()
      canvas.movedAt = 0
      applyFilters()
      layOut()
    } else {
      if (name === 'colour') colour()
      applyFilters()
      if (['cluster', 'folder', 'tag'].includes(name)) canvas.fit()
      if (name === 'folder') showAgain('select[aria-label=Folder]') // with what is counted in it
    }
    report()
  }

  /** Rebuild the controls; the focus stays on the *chosen* one. */
  function showAgain(chosen) {
    const hadFocus = controls.contains(document.activeElement)
    showControls()
    if (hadFocus) controls.querySelector(chosen)?.focus()
  }

  function applyFilters() {
    let count = 0
    for (let node = 0; node < graph.nodes.length; node++) {
      count += passing[node] = filters.accepts(graph, graph.nodes[node]) ? 1 : 0
      canvas.visible[node] = passing[node] && isDrawn(node) ? 1 : 0
    }
    graph.types.forEach((type, number) => (canvas.visibleLinkTypes[number] = filters.hiddenLinks.has(type) ? 0 : 1))
    if (canvas.selected >= 0 && !passing[canvas.selected]) select(-1)
    aside.update(undrawn().filter((node) => passing[node]), notDrawn())
    updateStatus(count)
    updateHighlight()
    updateCard()
  }

  function notDrawn() {
    return graph.similar.count ? 'neither linked nor similar' : 'not linked'
  }

  function updateStatus(count = state.count) {
    state.count = count
    const size = graph.nodes.length
    const unlinked = filters.unlinked ? 0 : undrawn().filter((node) => passing[node]).length
    const pairs = graph.similar.count ? `, ${pluralize(graph.similar.count, 'similar pair')}` : ''
    const counts =
      count === size
        ? `${pluralize(size, 'node')}, ${pluralize(graph.links.count, 'link')}${pairs}`
        : `${count.toLocaleString('en')} of ${pluralize(size, 'node')}`
    const rest = make(
      'button.link',
      {type: 'button', onclick: openUnlinked},
      `${unlinked.toLocaleString('en')} ${notDrawn()}`,
    )
    status.classList.toggle('unseen', Boolean(size) && !count) // it is written in the middle
    if (!size) fill(status, 'The graph is empty.')
    else if (!count) fill(status, 'Nothing matches these filters.')
    else fill(status, counts, unlinked ? [' · ', rest] : null)
    empty.hidden = !size || (count > 0 && unlinked !== count)
    if (!count) {
      fill(
        empty,
        make('p', {}, 'Nothing matches these filters.'),
        make('button', {type: 'button', onclick: showAll}, 'Clear the filters'),
      )
      return
    }
    fill(
      empty,
      make('p', {}, count === 1 ? 'This note is not linked to another.' : `None of these ${count.toLocaleString('en')} notes is linked to another.`),
      make('button', {type: 'button', onclick: drawUnlinked}, 'Draw them by folder'),
    )
  }

  function drawUnlinked() {
    filters.unlinked = true
    filters.group = 'folder'
    showControls()
    onFilter('group')
    canvas.element.focus()
  }

  function showAll() {
    clearFilters()
    canvas.fit()
    report()
    canvas.element.focus()
  }

  function openUnlinked() {
    disclose(true)
    aside.element.open = true
    aside.element.scrollIntoView({block: 'nearest'})
    aside.element.querySelector('summary').focus()
  }

  function disclose(isOpen) {
    disclosure.setAttribute('aria-expanded', String(isOpen))
  }

  function report() {
    onChange(filters.parameters(), graph.nodes[canvas.selected]?.id ?? '')
  }

  // ---- the selected node ----

  function select(node, reveal = false, endsPath = true) {
    canvas.selected = node
    if (endsPath && canEndPath()) showPath(state.pathStart, node)
    else if (state.pathStart < 0) {
      canvas.path = null
      updateStatus() // which told of a path
    }
    updateHighlight()
    updateCard()
    announce(node)
    if (canvas.path) canvas.fit(canvas.path)
    else if (node >= 0 && reveal && canvas.visible[node]) canvas.reveal(node)
    report()
  }

  function announce(node) {
    if (node < 0) {
      announcement.textContent = ''
      return
    }
    const {title, type} = graph.nodes[node]
    const similar = canvas.similarTo(node).length
    const counts = [
      pluralize(canvas.neighbours(node).length, 'neighbour'),
      ...(similar ? [pluralize(similar, 'similar note')] : []),
    ]
    announcement.textContent = [title, type, ...counts].join(', ')
  }

  function canEndPath() {
    return canvas.selected >= 0 && state.pathStart >= 0 && canvas.selected !== state.pathStart
  }

  function updateHighlight() {
    const {selected} = canvas
    canvas.highlighted =
      selected >= 0 && canvas.visible[selected] && filters.steps
        ? graph.links.neighbourhood(selected, filters.steps, (link) => canvas.isLinkVisible(link))
        : null
    canvas.draw()
  }

  function showNeighbourhood(steps) {
    filters.steps = steps
    updateHighlight()
    updateCard()
    canvas.fit(steps ? canvas.highlighted : null)
    report()
  }

  function showPath(from, to) {
    const path = graph.links.shortestPath(from, to, (link) => canvas.isLinkVisible(link))
    state.pathStart = -1
    filters.steps = 0
    canvas.path = path
    status.textContent = path
      ? `The shortest path has ${pluralize(path.length - 1, 'step')}.`
      : 'No path connects these two with the current filters.'
  }

  function updateCard() {
    const {selected} = canvas
    card.hidden = selected < 0
    if (selected >= 0) {
      const focused = card.contains(document.activeElement) ? document.activeElement.tagName : ''
      fill(
        card,
        cardContent(canvas, selected, {
          steps: filters.steps,
          isPathStart: state.pathStart === selected,
          canEndPath: canEndPath(),
          href: hrefOf(graph.nodes[selected]),
          onClose: () => {
            state.pathStart = -1
            select(-1)
            canvas.element.focus()
          },
          onPath: setPathEnd,
          onSteps: showNeighbourhood,
          onSelect: (node) => select(node, true),
        }),
      )
      if (focused) (focused === 'SELECT' ? card.querySelector('select') : canvas.element).focus({preventScroll: true})
    }
    const isNarrow = canvas.width <= NARROW
    canvas.covered = {
      right: selected >= 0 && !isNarrow ? CARD_WIDTH : 0,
      bottom: selected >= 0 && isNarrow ? card.offsetHeight : 0,
    }
  }

  /** Start a path at the selected node, end the one that was started elsewhere, or stop finding one. */
  function setPathEnd() {
    if (canEndPath()) {
      select(canvas.selected)
      return
    }
    state.pathStart = state.pathStart === canvas.selected ? -1 : canvas.selected
    canvas.path = null
    if (state.pathStart < 0) updateStatus()
    else
      status.textContent = HAS_TOUCH
        ? 'Tap the destination.'
        : 'Click the destination, or go to it with the arrow keys and press p.'
    updateHighlight()
    updateCard()
  }

  function open(node) {
    const href = node >= 0 ? hrefOf(graph.nodes[node]) : null
    if (href) location.hash = href
  }

  // ---- search ----

  function suggest() {
    const words = searchField.value.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = []
    if (words.length) {
      for (const node of canvas.order) {
        if (words.every((word) => graph.nodes[node].title.toLowerCase().includes(word))) matches.push(node)
        if (matches.length === MAX_SUGGESTIONS) break
      }
    }
    suggestions.hidden = !words.length
    fill(
      suggestions,
      matches.length
        ? matches.map((node) =>
            make(
              'li',
              {},
              make(
                'button.plain',
                {type: 'button', onclick: () => goTo(node)},
                make(`i.dot.type-${graph.nodes[node].type}`),
                make('span', {}, graph.nodes[node].title),
              ),
            ),
          )
        : make('li.empty', {}, 'No titles match'),
    )
  }

  function goTo(node) {
    suggestions.hidden = true
    searchField.value = ''
    disclose(false)
    canvas.resize() // closed filters leave it more room
    if (!passing[node]) clearFilters()
    select(node)
    if (canvas.visible[node] && !canvas.path) canvas.centre(node, NEAR)
    canvas.element.focus()
  }

  /** Show all, so that a note that the filters hide can be shown. */
  function clearFilters() {
    const {group: by, colour: colours, unlinked, similar} = filters
    Object.assign(filters, new Filters(), {group: by, colour: colours, unlinked, similar})
    showControls()
    applyFilters()
  }

  function onSearchKeydown(event) {
    if (event.key === 'Enter') suggestions.querySelector('button')?.click()
    else if (event.key === 'Escape') {
      searchField.value = ''
      suggestions.hidden = true
    } else return
    event.preventDefault()
  }

  // ---- keys ----

  function onKeydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}
    if (event.key in arrows) {
      const [dx, dy] = arrows[event.key]
      if (event.shiftKey) canvas.pan(-60 * dx, -60 * dy)
      else {
        const next = canvas.neighbourTowards(dx, dy)
        if (next >= 0) select(next, true, false)
      }
    } else if (event.key === '+' || event.key === '=') canvas.zoom(1.3)
    else if (event.key === '-') canvas.zoom(1 / 1.3)
    else if (event.key === '0') canvas.fit()
    else if (event.key === 'Enter') open(canvas.selected)
    else if (event.key === 'f' && canvas.selected >= 0) showNeighbourhood(filters.steps ? 0 : 1)
    else if (event.key === 'p' && canvas.selected >= 0) setPathEnd()
    else if (event.key === 'Escape') {
      state.pathStart = -1
      filters.steps = 0
      select(-1)
    } else return
    event.preventDefault()
  }

  function iconButton(icon, name, onclick) {
    return make('button.knob', {type: 'button', title: name, 'aria-label': name, onclick}, icon)
  }

  return {
    element,
    canvas,
    filters,
    isDrawn,
    readSimilar,
    /** Select the node with that id, if it exists. */
    show(id) {
      const number = graph.nodes.findIndex((node) => node.id === id)
      if (number >= 0 && number !== canvas.selected) goTo(number)
    },
    /** Show what the parameters of an address say, with the node of that id selected, or none. */
    apply(parameters, id) {
      const wanted = new Filters(parameters)
      const wasSelected = canvas.selected >= 0
      if (!id) {
        state.pathStart = -1
        canvas.selected = -1 // a layout that begins below is fitted only if nothing is selected
      }
      const isSame = JSON.stringify(wanted.parameters()) === JSON.stringify(filters.parameters())
      if (!isSame) {
        const reconnects = wanted.similar !== filters.similar
        const redraws = wanted.group !== filters.group || wanted.unlinked !== filters.unlinked || reconnects
        const narrows = ['cluster', 'folder', 'tag'].find((name) => wanted[name] !== filters[name])
        Object.assign(filters, wanted)
        showControls()
        onFilter(reconnects ? 'similar' : redraws ? 'group' : 'colour')
        if (narrows && !redraws && !id) canvas.fit()
      }
      if (id) this.show(id)
      else if (wasSelected) select(-1)
    },
  }
}

// The interactive graph: filters, search, neighbourhoods and shortest paths; used by the page and the exported file.

import {Canvas} from './canvas.js'
import {pluralize, formatDate, fill, make} from './elements.js'
import {initialPositions, relax} from './layout.js'
import {Links} from './links.js'

const LAYOUT_SLICE = 12 // milliseconds of layout work between two frames
const CARD_WIDTH = 340 // pixels, of the card of the selected node
const MAX_SUGGESTIONS = 12
const MAX_TAGS = 300
const STATUS = {active: 'Active', needs_review: 'Needs review', superseded: 'Superseded'}

/**
 * Create the explorer of a graph, given as *data* in the server's format; *openNode*, if any, opens a node by its id.
 * After a change, *previous* is the explorer of the graph before: what is seen stays where it is.
 */
export function explorer(data, openNode = null, previous = null) {
  const graph = readGraph(data)
  const state = {
    hiddenTypes: new Set(previous?.state.hiddenTypes),
    hiddenStatuses: new Set(previous?.state.hiddenStatuses),
    tag: '',
    community: '',
    depth: 0,
    pathStart: -1,
  }
  const canvas = new Canvas(graph, {
    onSelect: (node) => select(node),
    onOpen: (node) => openNode?.(graph.nodes[node].id),
  })
  canvas.element.setAttribute('role', 'application')
  canvas.element.setAttribute(
    'aria-label',
    'The graph. Arrow keys go from node to node, Enter opens one, plus and minus zoom, 0 shows all, f shows a node’s neighbourhood, p starts a path at a node and ends it at another.',
  )
  const status = make('p.graph-status', {role: 'status', 'aria-live': 'polite'})
  const card = make('section.graph-card', {hidden: true, 'aria-label': 'Selected note'})
  const suggestions = make('ul.graph-suggestions', {hidden: true})
  const searchField = make('input', {
    type: 'search',
    placeholder: 'Find a note in the graph',
    'aria-label': 'Find a note in the graph',
    oninput: suggest,
    onkeydown: onSearchKeydown,
  })
  const element = make(
    'div.graph',
    {},
    make(
      'div.graph-filters',
      {role: 'group', 'aria-label': 'Filters'},
      make('div.graph-search', {}, searchField, suggestions),
      filterControls(),
    ),
    make(
      'div.graph-stage',
      {},
      canvas.element,
      card,
      make(
        'div.graph-zoom',
        {role: 'group', 'aria-label': 'Zoom'},
        iconButton('+', 'Zoom in', () => canvas.zoom(1.4)),
        iconButton('−', 'Zoom out', () => canvas.zoom(1 / 1.4)),
        iconButton('⤢', 'Show all', () => canvas.fit()),
      ),
      status,
    ),
  )
  canvas.element.addEventListener('keydown', onKeydown)
  applyFilters()
  if (previous) carryOver()
  else animateLayout()

  /** Leave the nodes of the previous graph where they were, and place new ones next to those that they link to. */
  function carryOver() {
    const {graph: before, view, selected} = previous.canvas
    const numbers = new Map(before.nodes.map((node, number) => [node.id, number]))
    const placed = (node) => numbers.has(graph.nodes[node].id)
    graph.nodes.forEach((node, number) => {
      const old = numbers.get(node.id)
      if (old !== undefined) copyPosition(before.positions, old, number)
    })
    graph.nodes.forEach((node, number) => {
      if (placed(number)) return
      const neighbours = [...graph.links.touching(number)].map((link) => graph.links.otherEnd(link, number)).filter(placed)
      const angle = number * 2.4
      if (neighbours.length) copyPosition(graph.positions, neighbours[0], number, Math.cos(angle), Math.sin(angle))
    })
    canvas.view = {...view}
    canvas.movedAt = performance.now()
    const id = before.nodes[selected]?.id
    const again = id ? graph.nodes.findIndex((node) => node.id === id) : -1
    if (again >= 0) select(again)
    element.dataset.settled = 'yes'
  }

  function copyPosition(from, source, target, dx = 0, dy = 0) {
    graph.positions[2 * target] = from[2 * source] + dx
    graph.positions[2 * target + 1] = from[2 * source + 1] + dy
  }

  function animateLayout() {
    const rounds = relax(graph.positions, graph.links, graph.communityOf, graph.nodes.length > 3000 ? 60 : 160)
    let drawnAt = 0
    const step = () => {
      const deadline = performance.now() + LAYOUT_SLICE
      let isDone = false
      while (!isDone && performance.now() < deadline) isDone = rounds.next().done
      if (isDone || performance.now() - drawnAt > 120) {
        drawnAt = performance.now()
        if (!canvas.movedAt && canvas.selected < 0 && canvas.width) canvas.fit()
        else canvas.draw()
      }
      if (isDone) element.dataset.settled = 'yes'
      else setTimeout(step, 0)
    }
    step()
  }

  // ---- filters ----

  function filterControls() {
    const types = countValues(graph.nodes.map((node) => node.type))
    const statuses = countValues(graph.nodes.filter((node) => node.status in STATUS).map((node) => node.status))
    const tags = countValues(graph.nodes.flatMap((node) => node.tags)).slice(0, MAX_TAGS)
    const tagFilter = make(
      'select',
      {'aria-label': 'Tag', onchange: () => setFilter('tag', tagFilter.value)},
      make('option', {value: ''}, 'All tags'),
      tags.map(([tag, count]) => make('option', {value: tag}, `${data.tags[tag]} (${count})`)),
    )
    const communityFilter = make(
      'select',
      {'aria-label': 'Cluster', onchange: () => setFilter('community', communityFilter.value, true)},
      make('option', {value: ''}, 'All clusters'),
      graph.communities.map((community) =>
        make('option', {value: community.number}, `${community.name} (${community.nodes.length})`),
      ),
    )
    const colourChoice = make(
      'select',
      {
        'aria-label': 'Colour',
        onchange: () => {
          canvas.coloursByCommunity = colourChoice.value === 'community'
          canvas.draw()
        },
      },
      make('option', {value: 'type'}, 'Colour by type'),
      make('option', {value: 'community'}, 'Colour by cluster'),
    )
    return [
      make(
        'fieldset',
        {},
        make('legend', {}, 'Type'),
        types.map(([type, count]) => filterCheckbox(type, count, state.hiddenTypes, make(`i.dot.type-${type}`))),
      ),
      make(
        'fieldset',
        {},
        make('legend', {}, 'Status'),
        statuses.map(([status, count]) => filterCheckbox(status, count, state.hiddenStatuses, null, STATUS[status])),
      ),
      make('fieldset', {}, make('legend', {}, 'Filter and colour'), tagFilter, communityFilter, colourChoice),
    ]
  }

  function filterCheckbox(value, count, hiddenValues, icon, name = value) {
    const checkbox = make('input', {
      type: 'checkbox',
      checked: !hiddenValues.has(value),
      onchange: () => {
        checkbox.checked ? hiddenValues.delete(value) : hiddenValues.add(value)
        applyFilters()
      },
    })
    return make(
      'label.check',
      {},
      checkbox,
      icon,
      make('span', {}, name),
      make('small', {}, count.toLocaleString('en')),
    )
  }

  function setFilter(name, value, refit = false) {
    state[name] = value
    applyFilters()
    if (refit) canvas.fit()
  }

  function passesFilters(node) {
    const {type, status, tags, community} = graph.nodes[node]
    if (state.hiddenTypes.has(type) || state.hiddenStatuses.has(status)) return false
    if (state.tag !== '' && !tags.includes(Number(state.tag))) return false
    return state.community === '' || community === Number(state.community)
  }

  function applyFilters() {
    let count = 0
    for (let node = 0; node < graph.nodes.length; node++) count += canvas.visible[node] = passesFilters(node) ? 1 : 0
    if (canvas.selected >= 0 && !canvas.visible[canvas.selected]) select(-1)
    updateStatus(count)
    updateHighlight()
  }

  function updateStatus(count) {
    const links = graph.links.count
    if (!graph.nodes.length) status.textContent = 'The graph is empty.'
    else if (count === graph.nodes.length)
      status.textContent = `${pluralize(count, 'node')}, ${pluralize(links, 'link')}`
    else
      status.textContent = count
        ? `${count.toLocaleString('en')} of ${pluralize(graph.nodes.length, 'node')}`
        : 'Nothing matches these filters.'
  }

  // ---- the selected node ----

  function select(node, reveal = false, endsPath = true) {
    canvas.selected = node
    if (endsPath && canEndPath()) showPath(state.pathStart, node)
    else if (state.pathStart < 0) canvas.path = null
    updateHighlight()
    updateCard()
    if (canvas.path) canvas.fit(canvas.path)
    else if (node >= 0 && reveal) canvas.reveal(node)
  }

  function canEndPath() {
    return canvas.selected >= 0 && state.pathStart >= 0 && canvas.selected !== state.pathStart
  }

  function updateHighlight() {
    const {selected} = canvas
    canvas.highlighted =
      selected >= 0 && state.depth
        ? graph.links.neighbourhood(selected, state.depth, (other) => canvas.visible[other])
        : canvas.path
          ? new Set(canvas.path)
          : null
    canvas.draw()
  }

  function showNeighbourhood(depth) {
    state.depth = depth
    updateHighlight()
    updateCard()
    canvas.fit(depth ? canvas.highlighted : null)
  }

  function showPath(from, to) {
    const path = graph.links.shortestPath(from, to, (node) => canvas.visible[node])
    state.pathStart = -1
    state.depth = 0
    canvas.path = path
    status.textContent = path
      ? `The shortest path has ${pluralize(path.length - 1, 'step')}.`
      : 'No path connects these nodes in the current view.'
  }

  function updateCard() {
    const {selected, path} = canvas
    card.hidden = selected < 0
    canvas.coveredWidth = selected >= 0 && canvas.width > 700 ? CARD_WIDTH : 0
    if (selected < 0) return
    const node = graph.nodes[selected]
    const neighbours = [
      ...new Set([...graph.links.touching(selected)].map((link) => graph.links.otherEnd(link, selected))),
    ].filter((other) => canvas.visible[other])
    const focused = card.contains(document.activeElement) ? document.activeElement.tagName : ''
    neighbours.sort((one, other) => graph.links.degree[other] - graph.links.degree[one])
    fill(
      card,
      make(
        'header',
        {},
        make('h2', {}, node.title),
        iconButton('×', 'Close', () => {
          select(-1)
          canvas.element.focus()
        }),
      ),
      make(
        'p.facts',
        {},
        make(`i.dot.type-${node.type}`),
        [
          node.type,
          STATUS[node.status] && node.status !== 'active' ? STATUS[node.status] : '',
          formatDate(node.modified),
        ]
          .filter(Boolean)
          .join(' · '),
      ),
      node.tags.length
        ? make(
            'p.tags',
            {},
            node.tags.slice(0, 12).map((tag) => make('span.tag', {}, data.tags[tag])),
          )
        : null,
      make(
        'div.row',
        {},
        openNode ? make('button.primary', {type: 'button', onclick: () => openNode(node.id)}, 'Open') : null,
        make(
          'button',
          {type: 'button', 'aria-pressed': String(state.pathStart === selected), onclick: () => setPathEnd()},
          canEndPath() ? 'Path to here' : state.pathStart === selected ? 'Select a target…' : 'Path from here',
        ),
      ),
      make(
        'label.depth',
        {},
        'Neighbourhood',
        make(
          'select',
          {'aria-label': 'Neighbourhood', onchange: (event) => showNeighbourhood(Number(event.target.value))},
          ['Whole graph', '1 step', '2 steps', '3 steps'].map((text, depth) =>
            make('option', {value: depth, selected: depth === state.depth}, text),
          ),
        ),
      ),
      path ? [make('h3', {}, `Path of ${pluralize(path.length - 1, 'step')}`), nodeList(path, make('ol'))] : null,
      make('h3', {}, neighbours.length ? pluralize(neighbours.length, 'neighbour') : 'No links'),
      nodeList(neighbours.slice(0, 60), make('ul')),
    )
    if (focused) (focused === 'SELECT' ? card.querySelector('select') : canvas.element).focus({preventScroll: true})
  }

  function nodeList(nodes, list) {
    list.append(
      ...nodes.map((other) =>
        make(
          'li',
          {},
          make(
            'button.plain',
            {type: 'button', onclick: () => select(other, true)},
            make(`i.dot.type-${graph.nodes[other].type}`),
            make('span', {}, graph.nodes[other].title),
          ),
        ),
      ),
    )
    return list
  }

  /** Start a path at the selected node, end the one that was started elsewhere, or stop finding one. */
  function setPathEnd() {
    if (canEndPath()) {
      select(canvas.selected)
      return
    }
    state.pathStart = state.pathStart === canvas.selected ? -1 : canvas.selected
    canvas.path = null
    if (state.pathStart >= 0) status.textContent = 'Select the target, or go to it with the arrow keys and press p.'
    updateHighlight()
    updateCard()
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
    select(node, true)
    if (canvas.view.k < 18) canvas.zoom(24 / canvas.view.k, ...canvas.positionOf(node))
    canvas.element.focus()
  }

  function onSearchKeydown(event) {
    if (event.key === 'Enter') suggestions.querySelector('button')?.click()
    else if (event.key === 'Escape') {
      searchField.value = ''
      suggestions.hidden = true
    } else if (event.key === 'ArrowDown') suggestions.querySelector('button')?.focus()
    else return
    event.preventDefault()
  }

  // ---- keys ----

  function onKeydown(event) {
    const unit = 1
    const steps = {ArrowLeft: [-unit, 0], ArrowRight: [unit, 0], ArrowUp: [0, -unit], ArrowDown: [0, unit]}
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key in steps) {
      if (event.shiftKey) canvas.pan(-60 * steps[event.key][0], -60 * steps[event.key][1])
      else {
        const next = canvas.neighbourTowards(...steps[event.key])
        if (next >= 0) select(next, true, false)
        if (next >= 0) status.textContent = `${graph.nodes[next].title}, ${graph.nodes[next].type}`
      }
    } else if (event.key === '+' || event.key === '=') canvas.zoom(1.3)
    else if (event.key === '-') canvas.zoom(1 / 1.3)
    else if (event.key === '0') canvas.fit()
    else if (event.key === 'f' && canvas.selected >= 0) showNeighbourhood(state.depth ? 0 : 1)
    else if (event.key === 'p' && canvas.selected >= 0) setPathEnd()
    else if (event.key === 'Enter' && canvas.selected >= 0) openNode?.(graph.nodes[canvas.selected].id)
    else if (event.key === 'Escape') {
      state.pathStart = -1
      state.depth = 0
      select(-1)
    } else return
    event.preventDefault()
  }

  function iconButton(text, name, onclick) {
    return make('button.knob', {type: 'button', title: name, 'aria-label': name, onclick}, text)
  }

  return {
    element,
    canvas,
    state,
    /** Select the node with that id, if it exists. */
    show(id) {
      const number = graph.nodes.findIndex((node) => node.id === id)
      if (number >= 0) goTo(number)
    },
  }
}

function readGraph(data) {
  const links = new Links(data.nodes.length, data.links)
  const communityOf = Uint32Array.from(data.nodes, (node) => node.community)
  const communities = Object.entries(data.communities).map(([number, label]) => ({
    number: Number(number),
    name: label.join(', ') || `Cluster ${number}`,
    nodes: [],
  }))
  const byNumber = new Map(communities.map((community) => [community.number, community]))
  data.nodes.forEach((node, number) => byNumber.get(node.community)?.nodes.push(number))
  return {
    nodes: data.nodes,
    links,
    types: data.types,
    communityOf,
    communities: communities.filter((community) => community.nodes.length),
    positions: initialPositions(data.nodes.length, links, communityOf),
  }
}

function countValues(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}

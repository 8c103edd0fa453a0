// The picture with its hands: filters, search, neighbourhoods, ways between two nodes. The same on the page and in a file.

import {Canvas} from './canvas.js'
import {counted, day, fill, make} from './elements.js'
import {placed, settled} from './layout.js'
import {Links} from './links.js'

const SLICE = 12 // milliseconds of moving nodes at a time: between two frames
const CARD = 340 // pixels that the card of the chosen node takes
const FOUND = 12
const TAGS = 300
const STATUS = {active: 'In force', needs_review: 'Needs review', superseded: 'Superseded'}

/** Return the explorer of *told*, the graph as the server or a file has it; *open* shows a node whole, where that can be done. */
export function explorer(told, open = null) {
  const graph = read(told)
  const state = {types: new Set(), statuses: new Set(), tag: '', community: '', depth: 0, from: -1}
  const canvas = new Canvas(graph, {chosen: (node) => choose(node), opened: (node) => open?.(graph.nodes[node].id)})
  canvas.element.setAttribute('role', 'application')
  canvas.element.setAttribute(
    'aria-label',
    'The graph. Arrow keys go from node to node, Enter opens one, plus and minus zoom, 0 shows all, f shows a node’s neighbourhood, p starts or ends a path.',
  )
  const status = make('p.graph-status', {role: 'status', 'aria-live': 'polite'})
  const card = make('section.graph-card', {hidden: true, 'aria-label': 'The chosen node'})
  const found = make('ul.graph-found', {hidden: true})
  const search = make('input', {
    type: 'search',
    placeholder: 'Find in the picture',
    'aria-label': 'Find in the picture',
    oninput: look,
    onkeydown: pick,
  })
  const element = make(
    'div.graph',
    {},
    make(
      'div.graph-filters',
      {role: 'group', 'aria-label': 'Filters'},
      make('div.graph-search', {}, search, found),
      filters(),
    ),
    make(
      'div.graph-stage',
      {},
      canvas.element,
      card,
      make(
        'div.graph-zoom',
        {role: 'group', 'aria-label': 'Zoom'},
        tool('+', 'Zoom in', () => canvas.zoom(1.4)),
        tool('−', 'Zoom out', () => canvas.zoom(1 / 1.4)),
        tool('⤢', 'Show all', () => canvas.fit()),
      ),
      status,
    ),
  )
  canvas.element.addEventListener('keydown', keys)
  apply()
  settle()

  function settle() {
    const moves = settled(graph.at, graph.links, graph.communityOf, graph.nodes.length > 3000 ? 60 : 160)
    let shownAt = 0
    const step = () => {
      const until = performance.now() + SLICE
      let done = false
      while (!done && performance.now() < until) done = moves.next().done
      if (done || performance.now() - shownAt > 120) {
        shownAt = performance.now()
        if (!canvas.moving && canvas.chosen < 0 && canvas.width) canvas.fit()
        else canvas.draw()
      }
      if (done) element.dataset.settled = 'yes'
      else setTimeout(step, 0)
    }
    step()
  }

  // ---- filters ----

  function filters() {
    const types = tally(graph.nodes.map((node) => node.type))
    const statuses = tally(graph.nodes.filter((node) => node.status in STATUS).map((node) => node.status))
    const tags = tally(graph.nodes.flatMap((node) => node.tags)).slice(0, TAGS)
    const tagged = make(
      'select',
      {'aria-label': 'Tag', onchange: () => set('tag', tagged.value)},
      make('option', {value: ''}, 'All tags'),
      tags.map(([tag, many]) => make('option', {value: tag}, `${told.tags[tag]} (${many})`)),
    )
    const grouped = make(
      'select',
      {'aria-label': 'Community', onchange: () => set('community', grouped.value, true)},
      make('option', {value: ''}, 'All communities'),
      graph.communities.map((each) => make('option', {value: each.number}, `${each.name} (${each.nodes.length})`)),
    )
    const coloured = make(
      'select',
      {
        'aria-label': 'Colour',
        onchange: () => {
          canvas.byCommunity = coloured.value === 'community'
          canvas.draw()
        },
      },
      make('option', {value: 'type'}, 'Colour by type'),
      make('option', {value: 'community'}, 'Colour by community'),
    )
    return [
      make(
        'fieldset',
        {},
        make('legend', {}, 'Type'),
        types.map(([type, many]) => checkbox(type, many, state.types, make(`i.dot.type-${type}`))),
      ),
      make(
        'fieldset',
        {},
        make('legend', {}, 'Status'),
        statuses.map(([status, many]) => checkbox(status, many, state.statuses, null, STATUS[status])),
      ),
      make('fieldset', {}, make('legend', {}, 'Only'), tagged, grouped, coloured),
    ]
  }

  function checkbox(value, many, hidden, mark, name = value) {
    const box = make('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => {
        box.checked ? hidden.delete(value) : hidden.add(value)
        apply()
      },
    })
    return make('label.check', {}, box, mark, make('span', {}, name), make('small', {}, many.toLocaleString('en')))
  }

  function set(name, value, refit = false) {
    state[name] = value
    apply()
    if (refit) canvas.fit()
  }

  function passes(node) {
    const {type, status, tags, community} = graph.nodes[node]
    if (state.types.has(type) || state.statuses.has(status)) return false
    if (state.tag !== '' && !tags.includes(Number(state.tag))) return false
    return state.community === '' || community === Number(state.community)
  }

  function apply() {
    let many = 0
    for (let node = 0; node < graph.nodes.length; node++) many += canvas.shown[node] = passes(node) ? 1 : 0
    if (canvas.chosen >= 0 && !canvas.shown[canvas.chosen]) choose(-1)
    say(many)
    spread()
  }

  function say(many) {
    const links = graph.links.many
    if (!graph.nodes.length) status.textContent = 'The graph is empty.'
    else if (many === graph.nodes.length) status.textContent = `${counted(many, 'node')}, ${counted(links, 'link')}`
    else
      status.textContent = many
        ? `${many.toLocaleString('en')} of ${counted(graph.nodes.length, 'node')}`
        : 'No node matches these filters.'
  }

  // ---- the chosen node ----

  function choose(node, reveal = false) {
    canvas.chosen = node
    if (node >= 0 && state.from >= 0 && node !== state.from) walk(state.from, node)
    else if (state.from < 0) canvas.way = null
    spread()
    describe()
    if (canvas.way) canvas.fit(canvas.way)
    else if (node >= 0 && reveal) canvas.reveal(node)
  }

  function spread() {
    const {chosen} = canvas
    canvas.bright =
      chosen >= 0 && state.depth
        ? graph.links.around(chosen, state.depth, (other) => canvas.shown[other])
        : canvas.way
          ? new Set(canvas.way)
          : null
    canvas.draw()
  }

  function focus(depth) {
    state.depth = depth
    spread()
    describe()
    canvas.fit(depth ? canvas.bright : null)
  }

  function walk(from, to) {
    const way = graph.links.path(from, to, (node) => canvas.shown[node])
    state.from = -1
    state.depth = 0
    canvas.way = way
    status.textContent = way
      ? `The shortest path has ${counted(way.length - 1, 'step')}.`
      : 'No path connects these nodes in the current view.'
  }

  function describe() {
    const {chosen, way} = canvas
    card.hidden = chosen < 0
    canvas.covered = chosen >= 0 && canvas.width > 700 ? CARD : 0
    if (chosen < 0) return
    const node = graph.nodes[chosen]
    const around = [...new Set([...graph.links.of(chosen)].map((link) => graph.links.other(link, chosen)))].filter(
      (other) => canvas.shown[other],
    )
    around.sort((one, other) => graph.links.degree[other] - graph.links.degree[one])
    fill(
      card,
      make(
        'header',
        {},
        make('h2', {}, node.title),
        tool('✕', 'Close', () => {
          choose(-1)
          canvas.element.focus()
        }),
      ),
      make(
        'p.facts',
        {},
        make(`i.dot.type-${node.type}`),
        [node.type, STATUS[node.status] && node.status !== 'active' ? STATUS[node.status] : '', day(node.modified)]
          .filter(Boolean)
          .join(' · '),
      ),
      node.tags.length
        ? make(
            'p.tags',
            {},
            node.tags.slice(0, 12).map((tag) => make('span.tag', {}, told.tags[tag])),
          )
        : null,
      make(
        'div.row',
        {},
        open ? make('button.primary', {type: 'button', onclick: () => open(node.id)}, 'Open') : null,
        make(
          'button',
          {type: 'button', 'aria-pressed': String(state.from === chosen), onclick: () => begin()},
          state.from === chosen ? 'Choose a target…' : 'Path from here',
        ),
      ),
      make(
        'label.depth',
        {},
        'Neighbourhood',
        make(
          'select',
          {'aria-label': 'Neighbourhood', onchange: (event) => focus(Number(event.target.value))},
          ['Everything', '1 step', '2 steps', '3 steps'].map((text, depth) =>
            make('option', {value: depth, selected: depth === state.depth}, text),
          ),
        ),
      ),
      way ? [make('h3', {}, `Path of ${counted(way.length - 1, 'step')}`), listed(way, make('ol'))] : null,
      make('h3', {}, around.length ? `Linked with ${around.length.toLocaleString('en')}` : 'No links'),
      listed(around.slice(0, 60), make('ul')),
    )
  }

  function listed(nodes, list) {
    list.append(
      ...nodes.map((other) =>
        make(
          'li',
          {},
          make(
            'button.plain',
            {type: 'button', onclick: () => choose(other, true)},
            make(`i.dot.type-${graph.nodes[other].type}`),
            make('span', {}, graph.nodes[other].title),
          ),
        ),
      ),
    )
    return list
  }

  function begin() {
    state.from = state.from === canvas.chosen ? -1 : canvas.chosen
    canvas.way = null
    if (state.from >= 0) status.textContent = 'Choose the target node.'
    spread()
    describe()
  }

  // ---- search ----

  function look() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const hits = []
    if (words.length) {
      for (const node of canvas.order) {
        if (words.every((word) => graph.nodes[node].title.toLowerCase().includes(word))) hits.push(node)
        if (hits.length === FOUND) break
      }
    }
    found.hidden = !words.length
    fill(
      found,
      hits.length
        ? hits.map((node) =>
            make(
              'li',
              {},
              make(
                'button.plain',
                {type: 'button', onclick: () => take(node)},
                make(`i.dot.type-${graph.nodes[node].type}`),
                make('span', {}, graph.nodes[node].title),
              ),
            ),
          )
        : make('li.empty', {}, 'No title contains these words.'),
    )
  }

  function take(node) {
    found.hidden = true
    search.value = ''
    choose(node, true)
    if (canvas.view.k < 18) canvas.zoom(24 / canvas.view.k, ...canvas.spot(node))
    canvas.element.focus()
  }

  function pick(event) {
    if (event.key === 'Enter') found.querySelector('button')?.click()
    else if (event.key === 'Escape') {
      search.value = ''
      found.hidden = true
    } else if (event.key === 'ArrowDown') found.querySelector('button')?.focus()
    else return
    event.preventDefault()
  }

  // ---- keys ----

  function keys(event) {
    const far = 1
    const steps = {ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far]}
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key in steps) {
      if (event.shiftKey) canvas.pan(-60 * steps[event.key][0], -60 * steps[event.key][1])
      else {
        const next = canvas.beside(...steps[event.key])
        if (next >= 0) choose(next, true)
        if (next >= 0) status.textContent = `${graph.nodes[next].title}, ${graph.nodes[next].type}`
      }
    } else if (event.key === '+' || event.key === '=') canvas.zoom(1.3)
    else if (event.key === '-') canvas.zoom(1 / 1.3)
    else if (event.key === '0') canvas.fit()
    else if (event.key === 'f' && canvas.chosen >= 0) focus(state.depth ? 0 : 1)
    else if (event.key === 'p' && canvas.chosen >= 0) begin()
    else if (event.key === 'Enter' && canvas.chosen >= 0) open?.(graph.nodes[canvas.chosen].id)
    else if (event.key === 'Escape') {
      state.from = -1
      state.depth = 0
      choose(-1)
    } else return
    event.preventDefault()
  }

  function tool(text, name, act) {
    return make('button.knob', {type: 'button', title: name, 'aria-label': name, onclick: act}, text)
  }

  return {
    element,
    canvas,
    /** Choose the node of an id, if it is there. */
    show(id) {
      const node = graph.nodes.findIndex((each) => each.id === id)
      if (node >= 0) take(node)
    },
  }
}

function read(told) {
  const links = new Links(told.nodes.length, told.links)
  const communityOf = Uint32Array.from(told.nodes, (node) => node.community)
  const communities = Object.entries(told.communities).map(([number, words]) => ({
    number: Number(number),
    name: words.join(', ') || `Community ${number}`,
    nodes: [],
  }))
  const named = new Map(communities.map((each) => [each.number, each]))
  told.nodes.forEach((node, number) => named.get(node.community)?.nodes.push(number))
  return {
    nodes: told.nodes,
    links,
    types: told.types,
    communityOf,
    communities: communities.filter((each) => each.nodes.length),
    at: placed(told.nodes.length, links, communityOf),
  }
}

function tally(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}

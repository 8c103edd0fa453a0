// The graph around one note, small enough for the margin of its text, and the same as a list.

import {Canvas} from './canvas.js'
import {relationBetween} from './card.js'
import {pluralize, fill, make} from './elements.js'
import {readGraph} from './graph.js'
import {arrange} from './layout.js'

const NEARBY_KEYS =
  'The notes around this one. Arrow keys go from note to note, Enter opens one. The list below shows the same.'

/**
 * Return the graph around the first node of *data*, in the server's format, with a choice of one or two *steps*;
 * *hrefOf* returns the address of a node, *onSteps* gets the choice.
 */
export function nearbyGraph(data, {hrefOf, steps = 1, onSteps = () => {}}) {
  const graph = readGraph(data)
  const canvas = new Canvas(graph, {onSelect: open, onOpen: open}, true)
  canvas.marked = 0
  canvas.element.setAttribute('role', 'application')
  canvas.element.setAttribute('aria-label', NEARBY_KEYS)
  canvas.element.addEventListener('keydown', onKeydown)
  canvas.element.addEventListener('blur', () => select(-1))
  const announcement = make('p.unseen', {role: 'status', 'aria-live': 'polite'})
  const list = make('div')
  const summary = make('summary')
  const hasMore = within(2).size > within(1).size
  const choice = make(
    'select',
    {'aria-label': 'Steps', onchange: () => show(Number(choice.value))},
    make('option', {value: 1}, '1 step'),
    make('option', {value: 2}, '2 steps'),
  )
  const element = make(
    'div.nearby-graph',
    {},
    hasMore ? choice : null,
    make('div.nearby-stage', {}, canvas.element, canvas.overlay),
    announcement,
    make('details', {}, summary, list),
  )
  draw(hasMore ? steps : 1)
  return element

  function show(count) {
    onSteps(count)
    draw(count)
  }

  function draw(count) {
    const shown = within(count)
    choice.value = count
    for (let node = 0; node < graph.nodes.length; node++) canvas.visible[node] = shown.has(node) ? 1 : 0
    for (const _ of arrange(graph, [...shown])); // at most a hundred nodes: it takes some milliseconds
    canvas.fit()
    summary.textContent = `As a list: ${pluralize(shown.size - 1, 'note')}`
    fill(list, notesAt(1), count > 1 ? notesAt(2) : null)
  }

  function within(count) {
    return graph.links.neighbourhood(0, count, () => true)
  }

  /** Return the notes at a distance, each with its relation to the nearest note before it. */
  function notesAt(distance) {
    const before = within(distance - 1)
    const nodes = [...within(distance)].filter((node) => !before.has(node))
    if (!nodes.length) return null
    return [
      make('h3', {}, distance === 1 ? 'One step away' : 'Two steps away'),
      make(
        'ul.plain-list',
        {},
        nodes.map((node) => {
          const from = graph.links.neighbours(node).find((other) => before.has(other))
          const relation = relationBetween(canvas, from, node)
          return make(
            'li',
            {},
            make('small', {}, from ? `${graph.nodes[from].title} ${relation} ` : `${relation} `),
            make('a', {href: hrefOf(graph.nodes[node])}, graph.nodes[node].title),
          )
        }),
      ),
    ]
  }

  function open(node) {
    if (node > 0) location.hash = hrefOf(graph.nodes[node])
  }

  function select(node) {
    canvas.selected = node
    canvas.drawOverlay()
    announcement.textContent = node < 0 ? '' : graph.nodes[node].title
  }

  function onKeydown(event) {
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key in arrows) {
      if (canvas.selected < 0) canvas.selected = 0
      const next = canvas.neighbourTowards(...arrows[event.key])
      select(next >= 0 ? next : canvas.selected)
      canvas.reveal(canvas.selected)
    } else if (event.key === '+' || event.key === '=') canvas.zoom(1.3)
    else if (event.key === '-') canvas.zoom(1 / 1.3)
    else if (event.key === '0') canvas.fit()
    else if (event.key === 'Enter') open(canvas.selected)
    else if (event.key === 'Escape') select(-1)
    else return
    event.preventDefault()
  }
}

// The card of the selected note: what it is, its links in words, and the way to others.

import {pluralize, formatDate, make} from './elements.js'
import {linkedOutside} from './canvas.js'
import {STATUS} from './filters.js'
import {relationLabel} from './relations.js'

const MAX_NEIGHBOURS = 60
const MAX_TAGS = 12
const STEPS = ['Whole graph', '1 step', '2 steps', '3 steps']

/**
 * Return the content of the card of *node* in *canvas*. *card* has {steps, isPathStart, canEndPath, href} and what
 * happens on a click: {onClose, onPath, onSteps, onSelect}.
 */
export function cardContent(canvas, node, card) {
  const {graph} = canvas
  const {title, type, status, modified, tags} = graph.nodes[node]
  const neighbours = canvas.neighbours(node)
  neighbours.sort((one, other) => graph.links.degree[other] - graph.links.degree[one])
  const similar = canvas.similarTo(node)
  const outside = canvas.neighboursOutside(node).length
  const facts = [type, status !== 'active' ? STATUS[status] : '', formatDate(modified)]
  return [
    make(
      'header',
      {},
      make('h2', {}, title),
      make('button.knob', {type: 'button', title: 'Close', 'aria-label': 'Close', onclick: card.onClose}, '×'),
    ),
    make('p.facts', {}, make(`i.dot.type-${type}`), facts.filter(Boolean).join(' · ')),
    tags.length
      ? make(
          'p.tags',
          {},
          tags.slice(0, MAX_TAGS).map((tag) => make('span.tag', {}, graph.tags[tag])),
        )
      : null,
    make(
      'div.row',
      {},
      card.href ? make('a.button.primary', {href: card.href}, 'Open') : null,
      neighbours.length
        ? make(
            'button',
            {type: 'button', 'aria-pressed': String(card.isPathStart), onclick: card.onPath},
            card.canEndPath ? 'Path to here' : card.isPathStart ? 'Pick the destination…' : 'Path from here',
          )
        : null,
    ),
    neighbours.length
      ? make(
          'label.depth',
          {},
          'Neighbourhood',
          make(
            'select',
            {'aria-label': 'Neighbourhood', onchange: (event) => card.onSteps(Number(event.target.value))},
            STEPS.map((text, steps) => make('option', {value: steps, selected: steps === card.steps}, text)),
          ),
        )
      : null,
    canvas.path
      ? [
          make('h3', {}, `Path of ${pluralize(canvas.path.length - 1, 'step')}`),
          make(
            'ol',
            {},
            canvas.path.map((step, index) => row(canvas, step, index ? canvas.path[index - 1] : -1, card.onSelect)),
          ),
        ]
      : null,
    make('h3', {}, neighbours.length ? pluralize(neighbours.length, 'neighbour') : outside ? 'No links in this view' : 'No links'),
    make(
      'ul',
      {},
      neighbours.slice(0, MAX_NEIGHBOURS).map((other) => row(canvas, other, node, card.onSelect)),
    ),
    neighbours.length > MAX_NEIGHBOURS ? make('p.facts', {}, `and ${neighbours.length - MAX_NEIGHBOURS} more`) : null,
    outside ? make('p.facts', {}, linkedOutside(outside)) : null,
    similar.length
      ? [
          make('h3', {}, pluralize(similar.length, 'similar note')),
          make(
            'ul',
            {},
            similar.map((other) => row(canvas, other, -1, card.onSelect)),
          ),
        ]
      : null,
  ]
}

/** Return the row of a note that is linked to *from*, with the relation as read from there. */
function row(canvas, node, from, onSelect) {
  const {title, type} = canvas.graph.nodes[node]
  return make(
    'li',
    {},
    make(
      'button.plain',
      {type: 'button', onclick: () => onSelect(node)},
      make(`i.dot.type-${type}`),
      make('span', {}, from < 0 ? null : make('small', {}, `${relationBetween(canvas, from, node)} `), title),
    ),
  )
}

/** Return how *from* is related to *to*, in words as read from it. */
export function relationBetween(canvas, from, to) {
  const {links, types} = canvas.graph
  const words = new Set()
  for (const link of links.touching(from)) {
    if (links.otherEnd(link, from) === to && canvas.isLinkVisible(link))
      words.add(relationLabel(types[links.type[link]], links.source[link] === from))
  }
  return [...words].join(', ')
}

// What the graph shows: the filters, the grouping and the colours, the controls that change them, and their values in an
// address.

import {make} from './elements.js'
import {GROUPINGS, folderName} from './grouping.js'
import {lineOf, relationLabel} from './relations.js'

const MAX_CHOICES = 300 // tags or folders offered
export const STATUS = {active: 'Active', needs_review: 'Needs review', superseded: 'Superseded'}
const LISTS = {hide: 'hiddenTypes', 'hide-status': 'hiddenStatuses', 'hide-links': 'hiddenLinks'}
const TEXTS = ['tag', 'cluster', 'folder', 'group', 'colour']

/** What is shown, from the parameters of an address; without any, all that is linked. */
export class Filters {
  constructor(parameters = new URLSearchParams()) {
    for (const [name, field] of Object.entries(LISTS))
      this[field] = new Set((parameters.get(name) ?? '').split(',').filter(Boolean))
    for (const name of TEXTS) this[name] = parameters.get(name) ?? ''
    if (!Object.hasOwn(GROUPINGS, this.group)) this.group = ''
    this.unlinked = parameters.get('unlinked') === '1'
    this.similar = /^[01]$/.test(parameters.get('similar')) ? parameters.get('similar') : '' // '' where the graph decides
    this.steps = Math.min(Math.max(Math.trunc(Number(parameters.get('steps'))) || 0, 0), 3)
  }

  /** Return the values by the names of their parameters; empty ones are the usual. */
  parameters() {
    return {
      ...Object.fromEntries(Object.entries(LISTS).map(([name, field]) => [name, [...this[field]].sort().join(',')])),
      ...Object.fromEntries(TEXTS.map((name) => [name, this[name]])),
      unlinked: this.unlinked ? '1' : '',
      similar: this.similar,
      steps: this.steps ? String(this.steps) : '',
    }
  }

  /** Return whether similar notes are connected: unless the reader has chosen, where few are linked. */
  showsSimilar(graph) {
    return this.similar ? this.similar === '1' : graph.isSparse
  }

  /** Return whether a node passes. */
  accepts(graph, {type, status, tags, community, folder}) {
    if (this.hiddenTypes.has(type) || this.hiddenStatuses.has(status)) return false
    if (this.tag && !tags.some((tag) => graph.tags[tag] === this.tag)) return false
    if (this.folder && folderName(graph.folders[folder]) !== this.folder) return false
    return !this.cluster || graph.clusterNames.get(community) === this.cluster
  }
}

/**
 * Return the controls for *filters* on *graph*; *onChange* is called with the name of what changed. Types, statuses and
 * links are counted in the folder that is shown.
 */
export function filterControls(graph, filters, onChange) {
  const isIn = ({folder}) => !filters.folder || folderName(graph.folders[folder]) === filters.folder
  const isBetween = (link) => isIn(graph.nodes[graph.links.source[link]]) && isIn(graph.nodes[graph.links.target[link]])
  const inFolder = graph.nodes.filter(isIn)
  const types = counted(graph.nodes.map((node) => node.type), inFolder.map((node) => node.type))
  const statuses = counted(
    graph.nodes.filter((node) => node.status in STATUS).map((node) => node.status),
    inFolder.map((node) => node.status),
  )
  const linkNumbers = [...graph.links.type.keys()]
  const typeOf = (link) => graph.types[graph.links.type[link]]
  const linkTypes = counted(linkNumbers.map(typeOf), linkNumbers.filter(isBetween).map(typeOf))
  const folders = counted(graph.nodes.map((node) => folderName(graph.folders[node.folder])))
  const tags = counted(graph.nodes.flatMap((node) => node.tags.map((tag) => graph.tags[tag])))
  const clusters = graph.communities.map(({name, nodes}) => [name, nodes.length])
  const box = (field, [value, count], icon, name = value) => checkbox(filters[field], value, count, icon, name, onChange)
  return [
    selection(filters, 'group', 'Group by', [['', 'No groups'], ...Object.entries(GROUPINGS)], onChange),
    selection(
      filters,
      'colour',
      'Colour',
      [
        ['', 'By type'],
        ['group', 'By group'],
      ],
      onChange,
    ),
    fieldset(
      'Type',
      types.map((type) => box('hiddenTypes', type, make(`i.dot.type-${type[0]}`))),
    ),
    fieldset(
      'Status',
      statuses.map((status) => box('hiddenStatuses', status, null, STATUS[status[0]])),
    ),
    fieldset('Links', [
      ...linkTypes.map((type) =>
        box('hiddenLinks', type, make(`i.line-sample.line-${lineOf(type[0])}`), relationLabel(type[0])),
      ),
      similarToggle(graph, filters, onChange),
    ]),
    choices('tag', 'Tag', 'All tags', tags),
    choices('folder', 'Folder', 'All folders', folders),
    choices('cluster', 'Cluster', 'All clusters', clusters),
  ]

  function choices(field, label, all, values) {
    if (!values.length) return null
    const options = values.slice(0, MAX_CHOICES).map(([value, count]) => [value, `${value} (${count})`])
    return selection(filters, field, label, [['', all], ...options], onChange)
  }
}

function fieldset(legend, controls) {
  return make('fieldset', {}, make('legend', {}, legend), controls)
}

function checkbox(hidden, value, count, icon, name, onChange) {
  const input = make('input', {
    type: 'checkbox',
    checked: !hidden.has(value),
    onchange: () => {
      input.checked ? hidden.delete(value) : hidden.add(value)
      onChange('hidden')
    },
  })
  return make('label.check', {}, input, icon, make('span', {}, name), make('small', {}, count.toLocaleString('en')))
}

/** Return the choice to connect similar notes, which says why it is on or off; nothing where none can be similar. */
function similarToggle(graph, filters, onChange) {
  if (graph.pairs && !graph.pairs.count) return null
  const isOn = filters.showsSimilar(graph)
  const input = make('input', {
    type: 'checkbox',
    checked: isOn,
    'aria-describedby': 'similar-hint',
    onchange: () => {
      filters.similar = input.checked === graph.isSparse ? '' : input.checked ? '1' : '0'
      onChange('similar')
    },
  })
  const why = graph.isSparse ? 'Shown because few notes are linked.' : 'Off because most notes are linked.'
  return [
    make(
      'label.check',
      {},
      input,
      make('i.line-sample.line-similar'),
      make('span', {}, 'Similar'),
      graph.pairs ? make('small', {}, graph.pairs.count.toLocaleString('en')) : null,
    ),
    make('p.hint', {id: 'similar-hint'}, `Close in meaning, not linked. ${isOn === graph.isSparse ? why : ''}`),
  ]
}

function selection(filters, field, label, options, onChange) {
  const select = make(
    'select',
    {
      'aria-label': label,
      title: filters[field], // a long name is cut
      onchange: () => {
        filters[field] = select.title = select.value
        onChange(field)
      },
    },
    options.map(([value, text]) => make('option', {value, title: value, selected: filters[field] === value}, text)),
  )
  return make('label.choice', {}, make('span', {}, label), select)
}

/** Return the different *values*, the most frequent first, each with how often it is among *shown*. */
function counted(values, shown = values) {
  const [all, some] = [countsOf(values), countsOf(shown)]
  return [...all].sort((one, other) => other[1] - one[1]).map(([value]) => [value, some.get(value) ?? 0])
}

function countsOf(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1)
  return counts
}

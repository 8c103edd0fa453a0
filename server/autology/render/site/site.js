// The read-only site: decisions, timeline, graph and search over what the file itself holds.

import {formatDate, fill, make, pluralize} from './elements.js'
import {explorer} from './explorer.js'
import {dataAround} from './graph.js'
import {renderMarkdown} from './markdown.js'
import {nearbyGraph} from './nearby.js'
import {WORDINGS} from './relations.js'

const MAX_ROWS = 500 // rows of a list before "Show all"
const MAX_NEARBY = 80 // notes in the graph around one
const MAX_RESULTS = 100
const SNIPPET = 220 // characters around the first match
const SUPERSEDES = 'supersedes'
const STATE_NAMES = {
  accepted: 'Accepted',
  active: 'Active',
  deprecated: 'Deprecated',
  needs_review: 'Needs review',
  proposed: 'Proposed',
  rejected: 'Rejected',
  superseded: 'Superseded',
}
const LINK_NAMES = {
  affects: ['affects', 'is affected by'],
  relates_to: ['relates to', 'relates to'],
  implements: ['implements', 'is implemented by'],
  uses: ['uses', 'is used by'],
  depends_on: ['depends on', 'is needed by'],
  derived_from: ['derives from', 'is the source of'],
  ...WORDINGS,
}
const TABS = [
  ['', 'Decisions'],
  ['notes', 'Notes'],
  ['timeline', 'Timeline'],
  ['graph', 'Graph'],
]
const ROUTES = {'': decisionLog, notes: noteList, timeline: timelineView, graph: graphView, note: notePage, search: searchView}

const readStored = (id) => JSON.parse(document.getElementById(id).textContent)
const site = readSite()
const view = document.getElementById('view')
const header = document.getElementById('top')
let graphExplorer = null
let scrollTimer = 0

/** Return the pages with their links, from the data in this file. */
function readSite() {
  const graph = readStored('graph')
  const pages = readStored('pages').map((page, number) => {
    const {id, title, type, status, modified, tags} = graph.nodes[number]
    const shared = {id, title, type, status, modified, tags: tags.map((tag) => graph.tags[tag])}
    return {created: '', content: '', references: [], descriptions: {}, ...page, ...shared, number, links: []}
  })
  for (let at = 0; at < graph.links.length; at += 3) {
    const [source, type, target] = [graph.links[at], graph.types[graph.links[at + 1]], graph.links[at + 2]]
    const description = pages[source].descriptions[`${type} ${pages[target].id}`]
    pages[source].links.push({other: pages[target], type, isOutgoing: true, description})
    pages[target].links.push({other: pages[source], type, isOutgoing: false, description})
  }
  const byKey = new Map()
  for (const page of [...pages].reverse())
    for (const key of [page.title.toLowerCase(), page.path, page.id, page.id.slice(0, 8)]) byKey.set(key, page)
  const byAddress = new Map(pages.map((page) => [page.address, page]))
  return {name: readStored('project').name, graph, pages, byKey, byAddress, images: new Map(Object.entries(readStored('images')))}
}

function headerParts() {
  const field = make('input', {type: 'search', id: 'search', placeholder: 'Search', 'aria-label': 'Search', 'aria-keyshortcuts': '/'})
  field.addEventListener('input', () => {
    const query = field.value.trim()
    const isRefinement = location.hash.startsWith('#/search/')
    const address = query ? `#/search/${encodeURIComponent(query)}` : '#/'
    if (!isRefinement) location.hash = address
    else {
      history.replaceState(null, '', address)
      showRoute()
    }
  })
  const form = make('form', {role: 'search', onsubmit: (event) => event.preventDefault()}, field)
  return [
    make('a.home', {href: '#/', title: site.name}, site.name),
    make(
      'nav',
      {'aria-label': 'Views'},
      TABS.map(([path, label]) => make('a', {href: `#/${path}`, 'data-tab': path}, label)),
    ),
    form,
  ]
}

function focusSearch(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest?.('input, select, textarea')) return
  event.preventDefault()
  document.getElementById('search').focus()
}

function showRoute() {
  clearTimeout(scrollTimer)
  const [, route, argument] = /^#?\/?([^/]*)\/?(.*)$/.exec(location.hash)
  const top = history.state?.top ?? 0
  const [title, ...elements] = (ROUTES[route] ?? missingPage)(decoded(argument))
  for (const tab of header.querySelectorAll('[data-tab]'))
    tab.dataset.tab === route ? tab.setAttribute('aria-current', 'page') : tab.removeAttribute('aria-current')
  document.title = title === site.name ? title : `${title} — ${site.name}`
  fill(view, elements)
  view.dataset.route = route
  view.scrollTop = top
  const field = document.getElementById('search')
  if (route === 'search') field.value = field === document.activeElement ? field.value : decoded(argument)
  else {
    field.value = ''
    view.focus({preventScroll: true})
    document.getElementById('announcement').textContent = title
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const hrefOf = (page) => `#/note/${encodeURIComponent(page.address)}`
const isNote = (page) => page.type !== 'document'
const isSuperseded = (page) => page.status === 'superseded'
const newestFirst = (one, other) =>
  other.created.localeCompare(one.created) ||
  isSuperseded(one) - isSuperseded(other) ||
  one.title.localeCompare(other.title)
const stateOf = (page) =>
  isSuperseded(page) ? 'superseded' : page.decision_status || page.status || ''
const successors = (page) => linked(page, SUPERSEDES, false)
const predecessors = (page) => linked(page, SUPERSEDES, true)

function linked(page, type, isOutgoing) {
  return page.links.filter((link) => link.type === type && link.isOutgoing === isOutgoing).map((link) => link.other)
}

function pageLink(page) {
  return make('a.chip', {href: hrefOf(page)}, make(`i.dot.type-${page.type}`, {title: page.type}), make('span', {}, page.title))
}

function statePills(page) {
  const state = stateOf(page)
  return [
    state && (state !== 'active' || page.type === 'decision') ? make(`span.pill.${state}`, {}, STATE_NAMES[state] ?? state) : null,
    page.status === 'needs_review' && state !== 'needs_review' ? make('span.pill.needs_review', {}, 'Needs review') : null,
  ]
}

// ---- lists ----

function decisionLog() {
  const decisions = site.pages.filter((page) => page.type === 'decision').sort(newestFirst)
  if (!decisions.length) return ['Decisions', emptyState('No decisions', 'This site has no decisions.', '#/notes', 'All notes')]
  return [site.name, filteredList(`Decisions (${decisions.length})`, 'Status', decisions, stateOf, STATE_NAMES)]
}

function noteList() {
  const pages = [...site.pages].sort((one, other) => one.title.localeCompare(other.title))
  return ['Notes', filteredList(`Notes (${pages.length})`, 'Type', pages, (page) => page.type, {})]
}

/** Return a list of *pages* that can be filtered by title, tag and the *group* of each. */
function filteredList(heading, label, pages, group, names) {
  const hidden = new Set()
  let words = []
  let most = MAX_ROWS
  const list = make('ol.log')
  const more = make('button', {type: 'button', onclick: () => update((most = Infinity))})
  const count = make('p.soft', {role: 'status'})
  const counts = new Map()
  for (const page of pages) counts.set(group(page), (counts.get(group(page)) ?? 0) + 1)
  const checkboxes = [...counts].map(([value, number]) => {
    const checkbox = make('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => update(checkbox.checked ? hidden.delete(value) : hidden.add(value)),
    })
    return make('label.check', {}, checkbox, make('span', {}, `${names[value] ?? value} `, make('small', {}, number)))
  })
  const field = make('input', {
    type: 'search',
    placeholder: 'Filter by title or tag',
    'aria-label': 'Filter by title or tag',
    oninput: () => update((words = field.value.toLowerCase().split(/\s+/).filter(Boolean))),
  })
  update()
  return make('section.list', {}, make('h1', {}, heading), make('div.row', {role: 'group', 'aria-label': label}, field, checkboxes), count, list, more)

  function update() {
    const shown = pages.filter((page) => {
      const text = `${page.title} ${page.tags.join(' ')}`.toLowerCase()
      return !hidden.has(group(page)) && words.every((word) => text.includes(word))
    })
    count.textContent = shown.length === pages.length ? '' : `${shown.length} of ${pages.length}`
    fill(list, shown.slice(0, most).map(listRow))
    more.hidden = shown.length <= most
    more.textContent = `Show all ${shown.length}`
  }
}

function listRow(page) {
  const replacedBy = successors(page)
  return make(
    `li.entry.${stateOf(page) || 'none'}`,
    {},
    make('div', {}, pageLink(page), statePills(page)),
    make('p.soft', {}, [page.created ? formatDate(page.created) : page.path, ...page.tags].join(' · ')),
    replacedBy.length ? make('p', {}, 'Superseded by ', separated(replacedBy)) : null,
  )
}

function separated(pages) {
  return pages.map((page, index) => [index ? ', ' : '', make('a', {href: hrefOf(page)}, page.title)])
}

function timelineView(_, most = MAX_ROWS) {
  const dated = site.pages.filter((page) => page.created).sort(newestFirst)
  const months = new Map()
  const more = make('button', {type: 'button', onclick: () => fill(view, timelineView('', dated.length)[1])})
  more.textContent = `Show all ${dated.length}`
  for (const page of dated.slice(0, most)) {
    const month = page.created.slice(0, 7)
    if (!months.has(month)) months.set(month, [])
    months.get(month).push(page)
  }
  const name = (month) =>
    new Date(`${month}-15T00:00:00Z`).toLocaleDateString(undefined, {month: 'long', year: 'numeric', timeZone: 'UTC'})
  return [
    'Timeline',
    make(
      'section.list',
      {},
      make('h1', {}, 'Timeline'),
      [...months].map(([month, pages]) => [make('h2', {}, name(month)), make('ol.log.dated', {}, pages.map(listRow))]),
      dated.length > most ? more : null,
    ),
  ]
}

function emptyState(title, text, href, action) {
  return make('section.state', {}, make('h1', {}, title), make('p', {}, text), make('a.button', {href}, action))
}

function missingPage() {
  return ['Page not found', emptyState('Page not found', 'The note may have been deleted since.', '#/', 'Go to the decisions')]
}

// ---- the graph ----

function graphView(address) {
  graphExplorer ??= explorer(site.graph, {hrefOf: ({id}) => hrefOf(site.byKey.get(id))})
  graphExplorer.element.classList.add('whole')
  if (!graphExplorer.element.querySelector('h1')) graphExplorer.element.prepend(make('h1.unseen', {}, 'Graph'))
  const page = site.byAddress.get(address)
  if (page) setTimeout(() => graphExplorer.show(page.id))
  return ['Graph', graphExplorer.element]
}

// ---- a note ----

function notePage(address) {
  const page = site.byAddress.get(address) ?? site.byKey.get(address)
  if (!page) return missingPage()
  const replacedBy = successors(page)
  const related = page.links.filter((link) => link.type !== SUPERSEDES)
  const facts = [
    ['Created', formatDate(page.created)],
    ['Changed', formatDate(page.modified)],
    ['File', page.path],
  ].filter(([, value]) => value)
  return [
    page.title,
    make(
      'article.reader',
      {},
      make(
        'div.text',
        {},
        make('p.kind', {}, make(`i.dot.type-${page.type}`), page.type, statePills(page)),
        make('h1', {}, page.title),
        replacedBy.length ? make('p.banner.warn', {}, 'Superseded by ', separated(replacedBy)) : null,
        renderMarkdown(withoutTitle(page), resolver(page)),
        page.tags.length ? make('p.tags', {}, page.tags.map((tag) => make('a.tag', {href: `#/search/${encodeURIComponent(tag)}`}, tag))) : null,
      ),
      make(
        'aside',
        {'aria-label': 'About this note'},
        make('p', {}, make('a.button', {href: `#/graph/${encodeURIComponent(page.address)}`}, 'Show in graph')),
        nearbySection(page),
        chainSection(page),
        make('h2', {}, 'Related'),
        related.length ? linkGroups(related) : make('p.soft', {}, 'No links'),
        page.references.length
          ? [make('h2', {}, 'Files'), make('ul.files', {}, page.references.map((file) => make('li', {}, make('code', {}, file))))]
          : null,
        make('dl.facts', {}, facts.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])),
      ),
    ),
  ]
}

/** Return the graph around a note, or null if it has no links. */
function nearbySection(page) {
  const part = dataAround(site.graph, page.number, MAX_NEARBY)
  if (part.nodes.length < 2) return null
  const graph = nearbyGraph(part, {hrefOf: ({id}) => hrefOf(site.byKey.get(id))})
  return make('section.nearby', {'aria-label': 'Nearby'}, make('h2', {}, 'Nearby'), graph)
}

/** Return the history of a decision: all that it replaced and that replaced it, oldest first; null without any. */
function chainSection(page) {
  const chain = new Set([page])
  for (const member of chain) for (const other of [...successors(member), ...predecessors(member)]) chain.add(other)
  if (chain.size === 1) return null
  const ordered = new Set()
  const place = (member) => {
    if (!chain.delete(member)) return
    predecessors(member).forEach(place) // first what it replaced, whatever the dates say
    ordered.add(member)
  }
  ;[...chain].sort((one, other) => newestFirst(other, one)).forEach(place)
  const step = (member) =>
    make(
      'li',
      {'aria-current': member === page ? 'true' : null},
      member === page ? make('strong', {}, member.title) : make('a', {href: hrefOf(member)}, member.title),
      make('span.soft', {}, ` ${formatDate(member.created)}`),
      isSuperseded(member) ? null : statePills(member),
    )
  return [make('h2', {}, 'History of this decision'), make('ol.chain', {}, [...ordered].map(step))]
}

function linkGroups(links) {
  const groups = new Map()
  for (const link of links) {
    const label = LINK_NAMES[link.type]?.[link.isOutgoing ? 0 : 1] ?? (link.isOutgoing ? 'mentions' : 'is mentioned by')
    if (!groups.has(label)) groups.set(label, new Map())
    groups.get(label).set(link.other, link.description)
  }
  return make(
    'dl.related',
    {},
    [...groups].map(([label, others]) => [
      make('dt', {}, label),
      [...others].map(([other, description]) =>
        make('dd', {}, pageLink(other), description ? make('p.soft', {}, description) : null),
      ),
    ]),
  )
}

/** Return a page's text without its frontmatter and without a first heading that repeats the title. */
function withoutTitle({content, title}) {
  const text = content.replaceAll('\r\n', '\n').replace(/^---\n[\s\S]*?\n---\n/, '').trimStart()
  const [firstLine] = text.split('\n', 1)
  return firstLine.startsWith('#') && firstLine.replace(/^#+\s*/, '').includes(title) ? text.slice(firstLine.length) : text
}

/** Return what resolves the links and images of the text of *page*. */
function resolver(page) {
  const resolve = (target) => resolvedHref(page, target)
  resolve.image = (target, label) => {
    const path = target.split(/[?#]/)[0]
    const address = site.images.get(pathFrom(page.path, path)) ?? site.images.get(pathFrom('', path))
    return address
      ? make('img', {src: address, alt: label, loading: 'lazy'})
      : make('span.soft', {}, `Image not available: ${label}`)
  }
  return resolve
}

/** Return the path of a link's *target* in the text at *from*. */
function pathFrom(from, target) {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of decoded(target).split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Return the address of what a link in the text of *page* leads to, null if the site does not have it. */
function resolvedHref(page, target) {
  const path = pathFrom(page.path, target)
  const other = site.byKey.get(target.toLowerCase()) ?? site.byKey.get(path) ?? site.byKey.get(`${path}.md`)
  return other ? hrefOf(other) : null
}

// ---- search ----

function searchView(query) {
  const words = [...new Set(query.toLowerCase().split(/[\s,;]+/).filter(Boolean))]
  const results = site.pages
    .map((page) => [page, scoreOf(page, words)])
    .filter(([, score]) => score > 0)
    .sort(([one, score], [other, otherScore]) => otherScore - score || newestFirst(one, other))
  const heading = make('h1', {}, pluralize(results.length, 'result'))
  document.getElementById('announcement').textContent = heading.textContent
  if (!results.length)
    return ['Search', make('section.list', {}, heading, make('p.soft', {}, 'Try fewer or different words.'))]
  return [
    `Search: ${query}`,
    make('section.list', {}, heading, make('ol.log', {}, results.slice(0, MAX_RESULTS).map(([page]) => resultRow(page, words)))),
  ]
}

/** Return how well *page* matches; 0 unless it has all *words*. A match in the title counts most, then in tags. */
function scoreOf(page, words) {
  page.searchable ??= {title: page.title.toLowerCase(), tags: page.tags.join(' ').toLowerCase(), text: page.content.toLowerCase()}
  const {title, tags, text} = page.searchable
  let score = 0
  for (const word of words) {
    const occurrences = Math.min(text.split(word).length - 1, 10)
    const points = (title.includes(word) ? 20 : 0) + (tags.includes(word) ? 8 : 0) + occurrences
    if (!points) return 0
    score += points
  }
  return isSuperseded(page) ? score / 2 : score
}

function resultRow(page, words) {
  const text = withoutTitle(page).replace(/\s+/g, ' ')
  const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)) - 60)
  const start = Number.isFinite(at) ? at : 0
  const snippet = text.slice(start, start + SNIPPET)
  return make(
    'li.entry',
    {},
    make('div', {}, pageLink(page), statePills(page)),
    make('p', {}, start ? '…' : '', highlighted(snippet, words), start + SNIPPET < text.length ? '…' : ''),
    make('p.soft', {}, [page.type, formatDate(page.created), page.path].filter(Boolean).join(' · ')),
  )
}

function highlighted(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi')
  return text.split(pattern).map((part, index) => (index % 2 ? make('mark', {}, part) : part))
}

header.append(...headerParts())
addEventListener('hashchange', showRoute)
addEventListener('keydown', focusSearch)
view.addEventListener('scroll', () => {
  clearTimeout(scrollTimer)
  scrollTimer = setTimeout(() => history.replaceState({top: view.scrollTop}, ''), 100)
})
showRoute()

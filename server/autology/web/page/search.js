// Search over all sources; each result says why it matched.

import {pluralize, formatDate, make} from '/picture/elements.js'
import {filters, setFilters} from './address.js'
import {call} from './api.js'
import {copy} from './copying.js'
import {showTitle} from './title.js'
import {STATUS, TYPES, chip, nameOfKind, nodeHref} from './nodes.js'

const SOURCES = {knowledge: 'Notes', documents: 'Documents', conversations: 'Conversations', memory: 'Memories'}
const SINGULAR = {knowledge: 'note', documents: 'document', conversations: 'conversation', memory: 'memory'}
const EXCERPT_LENGTH = 420
const OWN_FILES = '.autology/' // whose names say nothing
const MAX_RELATED = 4 // notes named beside a result

export async function search(query = '') {
  const field = document.getElementById('search')
  if (field) field.value = query
  if (!query.trim())
    return Object.assign(
      make(
        'section.state',
        {},
        make('h1', {}, 'Search everything'),
        make('p', {}, 'Type a question or a few words above: notes, documents, conversations and memories are searched.'),
      ),
      {onShown: () => field?.focus()},
    )
  const reply = await call('search', {query})
  const sources = reply.results.map(sourceOf)
  const items = reply.results.map((result) => resultItem(result))
  const hiddenSources = new Set(filters().get('without')?.split(',') ?? [])
  const heading = make('h1')
  let type = TYPES.includes(filters().get('type')) ? filters().get('type') : '' // of the only notes shown, if any
  const isShown = (index) =>
    type
      ? sources[index] === 'knowledge' && reply.results[index].type === type
      : !hiddenSources.has(sources[index])
  const hide = () => {
    items.forEach((item, index) => (item.hidden = !isShown(index)))
    const shown = items.filter((item) => !item.hidden).length
    heading.textContent =
      shown === items.length
        ? items.length
          ? pluralize(shown, 'result')
          : 'No results'
        : `${shown} of ${pluralize(items.length, 'result')}`
    for (const label of sourceFilters) label.hidden = Boolean(type) // the type says it all
  }
  const sourceFilters = Object.entries(SOURCES)
    .filter(([source]) => sources.includes(source))
    .map(([source, name]) => {
      const checkbox = make('input', {
        type: 'checkbox',
        checked: !hiddenSources.has(source),
        onchange: () => {
          checkbox.checked ? hiddenSources.delete(source) : hiddenSources.add(source)
          setFilters({without: [...hiddenSources].join(',')})
          hide()
          showTitle(titleNow())
        },
      })
      return make(
        'label.check',
        {},
        checkbox,
        make('span', {}, name),
        make('small', {}, sources.filter((other) => other === source).length),
      )
    })
  const typeFilter = make(
    'select',
    {
      'aria-label': 'Type of note',
      onchange: () => {
        type = typeFilter.value
        setFilters({type})
        hide()
        showTitle(titleNow())
      },
    },
    ['', ...TYPES].map((one) => make('option', {value: one, selected: one === type}, typeName(one))),
  )
  hide()
  const results = make(
    'section.results',
    {},
    heading,
    items.length
      ? make('details.soft', {}, make('summary', {}, 'How the search worked'), make('p', {}, reply.explanation))
      : make('p.soft', {}, 'Try fewer or different words.'),
    reply.verdict && items.length ? make('p.banner', {}, verdict(reply)) : null,
    (reply.degraded ?? []).map((note) => make('p.banner.warn', {}, note)),
    items.length || type
      ? make(
          'div.row.filters',
          {role: 'group', 'aria-label': 'Filters'},
          sourceFilters.length > 1 ? sourceFilters : null,
          typeFilter,
          make(
            'button.small',
            {
              type: 'button',
              title: 'The address keeps this search and its filters, also as a bookmark',
              onclick: () => copy(location.href, 'the address of this search with its filters'),
            },
            'Copy link',
          ),
        )
      : null,
    reply.code_relationships?.links?.length
      ? make(
          'section.result',
          {},
          make('h2', {}, 'From the code'),
          make(
            'ul',
            {},
            reply.code_relationships.links
              .slice(0, 20)
              .map((link) =>
                make(
                  'li',
                  {},
                  make('code', {}, link.source),
                  ` ${link.type.toLowerCase()} `,
                  make('code', {}, link.target),
                  make('span.soft', {}, ` line ${link.line}`),
                ),
              ),
          ),
        )
      : null,
    make('ol.plain', {}, items),
  )
  return Object.assign(results, {pageTitle: titleNow()})

  /** Return the words that were searched for and what the filters leave. */
  function titleNow() {
    const names = Object.keys(SOURCES).filter((source) => hiddenSources.has(source)).map((source) => SOURCES[source].toLowerCase())
    if (type) return `${query}, ${type}s only`
    return names.length ? `${query}, without ${new Intl.ListFormat('en').format(names)}` : query
  }

  function resultItem(result) {
    const source = sourceOf(result)
    const title = result.title || result.context?.question || 'A passage of a conversation'
    const node = {id: result.id, title, type: source === 'documents' ? 'document' : result.type}
    const date = formatDate(result.context?.timestamp)
    return make(
      'li.result',
      {},
      make(
        'h2',
        {},
        make(
          'a',
          {href: nodeHref(result.id, source === 'knowledge' ? title : '')},
          source === 'knowledge' || source === 'documents' ? make(`i.dot.type-${node.type}`) : null,
          title,
          result.mark ? make('small.soft', {}, ` (${result.mark})`) : null,
        ),
        result.status && result.status !== 'active' ? make(`span.pill.${result.status}`, {}, STATUS[result.status]) : null,
      ),
      supersededBy(result),
      make(
        'p.facts',
        {},
        [
          ...new Set([SINGULAR[source], source === 'memory' ? nameOfKind(result.type).toLowerCase() : result.type]),
          date,
          source === 'conversations' || result.context?.path?.startsWith(OWN_FILES) ? '' : result.context?.path,
        ]
          .filter(Boolean)
          .join(' · '),
      ),
      make('p', {}, highlight(excerpt(plain(result.content)), result.words)),
      make('p.why', {}, 'Why: ', explanation(result)),
      related(result).length
        ? make(
            'p.row',
            {},
            make('span.soft', {}, 'Related:'),
            related(result).map(chip),
          )
        : null,
    )
  }

  function excerpt(text) {
    if (text.length <= EXCERPT_LENGTH) return text
    const matchStart = reply.results.length
      ? text.toLowerCase().search(
          new RegExp(
            query
              .split(/\s+/)
              .filter((word) => word.length > 3)
              .map((word) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
              .filter(Boolean)
              .join('|') || '$^',
            'u',
          ),
        )
      : -1
    const start = wordStart(text, Math.max(0, Math.min(matchStart - 120, text.length - EXCERPT_LENGTH)))
    const end = start + EXCERPT_LENGTH
    const cut = end < text.length
    return `${start ? '… ' : ''}${cut ? text.slice(start, end).replace(/\s+\S*$/, '') : text.slice(start)}${cut ? ' …' : ''}`
  }
}

function typeName(type) {
  return type ? `Only notes of type ${type}` : 'All types'
}

/** Return where the first whole word from *position* on begins. */
function wordStart(text, position) {
  if (!position) return 0
  const space = text.indexOf(' ', position)
  return space < 0 || space - position > 40 ? position : space + 1
}

/** Return that nothing answers the question, or which of its words are nowhere. */
function verdict({verdict: message, absent = [], results}) {
  if (!absent.length || !results.length) return message
  const words = absent.map((word) => `“${word}”`)
  return `Nothing mentions ${new Intl.ListFormat('en', {type: 'disjunction'}).format(words)}. These results are the nearest.`
}

/** Return a markdown text as one line of plain words. */
function plain(markdown) {
  return markdown
    .replaceAll(/^❯ /gm, 'You: ')
    .replaceAll(/^● /gm, 'Assistant: ')
    .replaceAll(/^ {0,3}#{1,6} +(.+?)[ #]*$/gm, (_, heading) => (/[.:?!]$/.test(heading) ? heading : `${heading}:`))
    .replaceAll(/^[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|[ \t:|-]*\n?$/gm, '')
    .replaceAll(/^[ \t]*\|(.*)\|[ \t]*$/gm, (_, cells) => `${cells.split('|').map((cell) => cell.trim()).filter(Boolean).join(' · ')};`)
    .replaceAll(/^ {0,3}(?:#{1,6} |>+ ?|[-*+] |```.*$)/gm, '')
    .replaceAll(/\[\[([^\]|\n]{1,300})(?:\|([^\]\n]{1,300}))?\]\]/g, (_, target, words) => words ?? target)
    .replaceAll(/!?\[([^\][\n]{0,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Return the notes that a result is linked to, but those that supersede it. */
function related({id, relations}) {
  const ends = (relations ?? [])
    .filter((link) => !(link.type === 'supersedes' && link.target === id))
    .flatMap((link) => [
      {id: link.source, title: link.source_title},
      {id: link.target, title: link.target_title},
    ])
  return [...new Map(ends.filter((end) => end.id !== id).map((end) => [end.id, end])).values()].slice(0, MAX_RELATED)
}

/** Return the line that names what superseded a result, or null. */
function supersededBy({id, relations}) {
  const links = (relations ?? []).filter((link) => link.type === 'supersedes' && link.target === id)
  return links.length
    ? make(
        'p.row',
        {},
        'Superseded by',
        links.map((link) => chip({id: link.source, title: link.source_title, type: 'decision'})),
      )
    : null
}

function sourceOf(result) {
  if (result.source === 'memory' || result.source === 'memories') return 'memory'
  return result.source in SOURCES ? result.source : result.context?.session_id ? 'conversations' : 'knowledge'
}

function explanation(result) {
  const reasons = []
  if (result.words?.length) reasons.push(`the words ${result.words.map((word) => `“${word}”`).join(', ')}`)
  if (result.via) reasons.push(`related: ${result.via}`)
  if (!result.words?.length && !result.via) reasons.push('similar in meaning')
  return `${reasons.join('; ')} · relevance ${result.relevance_score.toFixed(2)}`
}

/** Return *text* with these words highlighted. */
function highlight(text, words = []) {
  if (!words.length) return text
  const pattern = new RegExp(
    `(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'giu',
  )
  return text.split(pattern).map((part, index) => (index % 2 ? make('mark', {}, part) : part))
}

// Search over everything, each result with why it was found.

import {counted, day, make} from '/picture/elements.js'
import {call} from './api.js'
import {chip, to} from './nodes.js'

const SORTS = {knowledge: 'Nodes', documents: 'Documents', conversations: 'Conversations', memory: 'Memories'}
const ONE = {knowledge: 'node', documents: 'document', conversations: 'conversation', memory: 'memory'}
const LONGEST = 420

export async function search(query = '') {
  const field = document.getElementById('search')
  if (field) field.value = query
  if (!query.trim())
    return make(
      'section.state',
      {},
      make('h1', {}, 'Search everything'),
      make('p', {}, 'Nodes, documents, conversations and memories, by words and by meaning.'),
    )
  const told = await call('search', {query})
  const of = told.results.map(sortOf)
  const results = told.results.map((each) => result(each))
  const shown = new Set(Object.keys(SORTS))
  const filters = Object.entries(SORTS)
    .filter(([sort]) => of.includes(sort))
    .map(([sort, name]) => {
      const box = make('input', {
        type: 'checkbox',
        checked: true,
        onchange: () => {
          box.checked ? shown.add(sort) : shown.delete(sort)
          results.forEach((each, number) => (each.hidden = !shown.has(of[number])))
        },
      })
      return make(
        'label.check',
        {},
        box,
        make('span', {}, name),
        make('small', {}, of.filter((each) => each === sort).length),
      )
    })
  return make(
    'section.results',
    {},
    make('h1', {}, results.length ? counted(results.length, 'answer') : 'No results'),
    results.length
      ? make('details.soft', {}, make('summary', {}, 'How the search worked'), make('p', {}, told.explanation))
      : make('p.soft', {}, 'Try fewer or other words.'),
    (told.degraded ?? []).map((note) => make('p.banner.warn', {}, note)),
    filters.length > 1 ? make('div.row', {role: 'group', 'aria-label': 'Sorts'}, filters) : null,
    told.code_relationships?.links?.length
      ? make(
          'section.result',
          {},
          make('h2', {}, 'From the code'),
          make(
            'ul',
            {},
            told.code_relationships.links
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
    make('ol.plain', {}, results),
  )

  function result(each) {
    const sort = sortOf(each)
    const title = each.title || each.context?.question || 'A passage of a conversation'
    const node = {id: each.id, title, type: sort === 'documents' ? 'document' : each.type}
    const when = day(each.context?.timestamp)
    return make(
      'li.result',
      {},
      make(
        'h2',
        {},
        make(
          'a',
          {href: to(each.id)},
          sort === 'knowledge' || sort === 'documents' ? make(`i.dot.type-${node.type}`) : null,
          title,
        ),
      ),
      make(
        'p.facts',
        {},
        [
          ...new Set([ONE[sort], each.type.replaceAll('_', ' ')]),
          when,
          sort === 'conversations' ? '' : each.context?.path,
        ]
          .filter(Boolean)
          .join(' · '),
      ),
      make('p', {}, marked(shortened(each.content.replaceAll(/\s+/g, ' ')), each.words)),
      make('p.why', {}, 'Why: ', why(each)),
      each.relations?.length
        ? make(
            'p.row',
            {},
            [
              ...new Map(
                each.relations.flatMap((link) => [
                  [link.source, {id: link.source, title: link.source_title}],
                  [link.target, {id: link.target, title: link.target_title}],
                ]),
              ).values(),
            ]
              .filter((end) => end.id !== each.id)
              .slice(0, 4)
              .map(chip),
          )
        : null,
    )
  }

  function shortened(text) {
    if (text.length <= LONGEST) return text
    const first = told.results.length
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
    const from = Math.max(0, Math.min(first - 120, text.length - LONGEST))
    return `${from ? '…' : ''}${text.slice(from, from + LONGEST)}${from + LONGEST < text.length ? '…' : ''}`
  }
}

function sortOf(each) {
  if (each.source === 'memory' || each.source === 'memories') return 'memory'
  return each.source in SORTS ? each.source : each.context?.session_id ? 'conversations' : 'knowledge'
}

function why(each) {
  const told = []
  if (each.words?.length) told.push(`the words ${each.words.map((word) => `“${word}”`).join(', ')}`)
  if (each.via) told.push(`related: ${each.via}`)
  if (!each.words?.length && !each.via) told.push('similar in meaning')
  return `${told.join('; ')} · relevance ${each.relevance_score.toFixed(2)}`
}

/** Return *text* with these words marked. */
function marked(text, words = []) {
  if (!words.length) return text
  const pattern = new RegExp(
    `(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'giu',
  )
  return text.split(pattern).map((part, number) => (number % 2 ? make('mark', {}, part) : part))
}

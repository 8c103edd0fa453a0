// One thing read whole: a node, a document, a memory or a passage, with what it is linked with.

import {day, make} from '/picture/elements.js'
import {call} from './api.js'
import {change, offered, say} from './undo.js'
import {rendered} from './markdown.js'
import {RELATIONS, STATUS, chip, chooser, relation, to} from './nodes.js'

export async function reader(id) {
  const told = await call('opened', {id})
  if (told.kind === 'document') return document_(told)
  if (told.kind === 'memory') return memory(told)
  if (told.kind === 'passage') return passage(told)
  return node(told)
}

function node(told) {
  const {node, links, path} = told
  const facts = [
    ['Created', day(node.created)],
    ['Changed', day(node.modified)],
    ['Confidence', `${Math.round(node.confidence * 100)} %`],
    ['Source', node.source],
    ['File', path],
    ['Id', node.id],
  ]
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make(`i.dot.type-${node.type}`), node.type, status(node)),
      make('h1', {}, node.title),
      told.superseded_by.length ? make('p.banner.warn', {}, 'Superseded by ', told.superseded_by.map(chip)) : null,
      told.drifted.length
        ? make('p.banner.warn', {}, `Needs review: ${told.drifted.join('; ')}. `, make('code', {}, told.settle))
        : null,
      next(node),
      node.secrets_left_out || node.hidden_characters
        ? make('p.banner', {}, `Part of this note is not shown; see ${path}.`)
        : null,
      rendered(node.content, (target) => to(target)),
      node.tags.length
        ? make(
            'p.tags',
            {},
            node.tags.map((tag) => make('a.tag', {href: `#/search/${encodeURIComponent(tag)}`}, tag)),
          )
        : null,
    ),
    make(
      'aside',
      {'aria-label': 'About this node'},
      make(
        'div.row.acts',
        {},
        make('a.button.primary', {href: `#/edit/${node.id}`}, 'Edit'),
        make('a.button', {href: `#//${node.id}`}, 'In the graph'),
        make('button', {type: 'button', onclick: () => remove(node)}, 'Delete'),
      ),
      make('h2', {}, 'Related'),
      links.length ? related(node, links) : make('p.soft', {}, 'No relations yet.'),
      relating(node),
      make('h2', {}, 'Duplicate of another node?'),
      chooser('Merge with…', (other) => (location.hash = `#/merge/${node.id}/${other.id}`), node.id),
      node.references.length
        ? [
            make('h2', {}, 'Refers to'),
            make(
              'ul.files',
              {},
              node.references.map((file) => make('li', {}, make('code', {}, file))),
            ),
          ]
        : null,
      node.session
        ? [
            make('h2', {}, 'Where it was discussed'),
            make(
              'a',
              {href: `#/session/${encodeURIComponent(node.session)}/${encodeURIComponent(node.turn ?? '')}`},
              'Read the conversation',
            ),
          ]
        : null,
      make(
        'dl.facts',
        {},
        facts.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
      ),
    ),
  )
}

/** Return what a node that was just made may want next. */
function next(node) {
  const {missing_sections: missing = [], duplicates = [], relations_suggested: suggested = []} = offered(node.id) ?? {}
  const open = suggested.filter(
    ({source, target, type}) =>
      !node.relations.some((each) => each.type === type && [source, target].includes(each.target)),
  )
  if (!missing.length && !duplicates.length && !open.length) return null
  return make(
    'section.banner',
    {'aria-label': 'Suggestions'},
    missing.length ? make('p', {}, `Missing sections: ${missing.join(', ')}.`) : null,
    duplicates.map((each) =>
      make(
        'p.row',
        {},
        'It may duplicate: ',
        chip(each),
        make('a.button', {href: `#/merge/${node.id}/${each.id}`}, 'Compare and merge'),
      ),
    ),
    open.map((each) =>
      make(
        'p.row',
        {},
        make(
          'span',
          {},
          `${each.source_title} ${relation(each.type, true)} ${each.target_title}? `,
          make('span.soft', {}, each.reason),
        ),
        make(
          'button',
          {type: 'button', onclick: () => act('relate', {source: each.source, target: each.target, type: each.type})},
          'Relate',
        ),
      ),
    ),
  )
}

function status(node) {
  const shown = []
  if (node.status !== 'active') shown.push(make(`span.pill.${node.status}`, {}, STATUS[node.status]))
  if (node.decision_status && node.decision_status !== 'superseded')
    shown.push(make('span.pill', {}, node.decision_status))
  return shown
}

function related(node, links) {
  const groups = new Map()
  for (const link of links) {
    const words = relation(link.type, link.out)
    if (!groups.has(words)) groups.set(words, [])
    groups.get(words).push(link)
  }
  return make(
    'dl.related',
    {},
    [...groups].map(([words, some]) => [
      make('dt', {}, words),
      some.map((link) =>
        make(
          'dd',
          {},
          chip(link),
          link.type in RELATIONS ? unrelating(node, link) : null,
          link.description ? make('p.soft', {}, link.description) : null,
        ),
      ),
    ]),
  )
}

function unrelating(node, link) {
  const [source, target] = link.out ? [node.id, link.id] : [link.id, node.id]
  return make(
    'button.small',
    {
      type: 'button',
      title: 'Remove this relation',
      'aria-label': `Remove: ${relation(link.type, link.out)} ${link.title}`,
      onclick: () => act('unrelate', {source, target, type: link.type}),
    },
    '✕',
  )
}

function relating(node) {
  const kind = make(
    'select',
    {'aria-label': 'How it is related'},
    Object.entries(RELATIONS).map(([type, [words]]) =>
      make('option', {value: type, selected: type === 'relates_to'}, words),
    ),
  )
  return make(
    'div.relating',
    {},
    kind,
    chooser('Relate to…', (other) => act('relate', {source: node.id, target: other.id, type: kind.value}), node.id),
  )
}

async function act(name, given) {
  try {
    await change(name, given)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } catch (error) {
    say(error.message, 0, true)
  }
}

async function remove(node) {
  try {
    await change('delete', {id: node.id})
    location.hash = '#/'
  } catch (error) {
    say(error.message, 0, true)
  }
}

function document_({document: shown, links}) {
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make('i.dot.type-document'), 'document'),
      make('h1', {}, shown.title),
      rendered(body(shown), (target) => to(beside(shown.path, target))),
      shown.cut ? make('p.banner', {}, `Truncated; the full text is in ${shown.path}.`) : null,
    ),
    make(
      'aside',
      {'aria-label': 'About this document'},
      make('h2', {}, 'Links'),
      links.length ? related({id: shown.id}, links) : make('p.soft', {}, 'No links.'),
      make(
        'dl.facts',
        {},
        make('dt', {}, 'File'),
        make('dd', {}, shown.path),
        make('dt', {}, 'Changed'),
        make('dd', {}, day(shown.modified)),
        make('dt', {}, 'Edited'),
        make('dd', {}, 'with any editor'),
      ),
    ),
  )
}

/** Return a document's text without its frontmatter, and without the heading that says its title once more. */
function body({content, title}) {
  const text = content.replace(/^---\n[\s\S]*?\n---\n/, '').trimStart()
  const [first] = text.split('\n', 1)
  return first.replace(/^#\s+/, '').trim() === title && first.startsWith('#') ? text.slice(first.length) : text
}

/** Return what a link in the file at *path* leads to: a file beside it, or a name. */
function beside(path, target) {
  if (!target.includes('/') && !target.endsWith('.md')) return target
  const parts = target.startsWith('/') ? [] : path.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function memory({memory: shown, path, links}) {
  const facts = [
    ['Kept', day(shown.created_at)],
    ['Until', shown.expires_at ? day(shown.expires_at) : 'for ever'],
    ['For', Object.values(shown.scope).join(' / ') || 'everything'],
    ['File', path],
    ['Id', shown.id],
  ]
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make(
        'p.kind',
        {},
        `memory · ${shown.kind.replaceAll('_', ' ')}`,
        shown.expired ? make('span.pill.needs_review', {}, 'expired') : null,
      ),
      rendered(shown.content, (target) => to(target)),
      shown.tags.length
        ? make(
            'p.tags',
            {},
            shown.tags.map((tag) => make('span.tag', {}, tag)),
          )
        : null,
    ),
    make(
      'aside',
      {'aria-label': 'About this memory'},
      links.length ? [make('h2', {}, 'Links'), related({id: shown.id}, links)] : null,
      make(
        'dl.facts',
        {},
        facts.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
      ),
    ),
  )
}

function passage({passage: shown}) {
  const {session_id: session, turn, timestamp} = shown.context
  const parts = [...(shown.before ?? []), {...shown, here: true}, ...(shown.after ?? [])]
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, `${shown.type} · ${day(timestamp)}`),
      make('h1', {}, shown.context.question || 'A passage of a conversation'),
      parts.map((each) => make(each.here ? 'div.said.here' : 'div.said', {}, rendered(each.content))),
    ),
    make(
      'aside',
      {'aria-label': 'About this passage'},
      make(
        'a.button.primary',
        {href: `#/session/${encodeURIComponent(session)}/${encodeURIComponent(turn)}`},
        'Read the conversation',
      ),
      captured('Captured from it', shown.captured_from_it),
      captured('Captured in its session', shown.captured_in_session),
    ),
  )
}

function captured(title, nodes) {
  return nodes?.length
    ? [
        make('h2', {}, title),
        make(
          'ul.plain',
          {},
          nodes.map((each) => make('li', {}, chip(each))),
        ),
      ]
    : null
}

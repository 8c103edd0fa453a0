// A single node, document, memory or passage, with its links.

import {formatDate, make} from '/picture/elements.js'
import {filters, reloadView} from './address.js'
import {call} from './api.js'
import {isMention, linkedFrom} from './backlinks.js'
import {change, suggestionsFor, notify} from './undo.js'
import {editorChoice, fileLink} from './files.js'
import {historySection} from './history.js'
import {renderMarkdown} from '/site/markdown.js'
import {
  DECISION_STATUS,
  RELATIONS,
  STATUS,
  chip,
  isRelation,
  nameOfKind,
  nodeHref,
  nodePicker,
  relationLabel,
  scopeName,
  shortened,
} from './nodes.js'
import {nearby} from './nearby.js'
import {bodyText, resolver, withoutFrontmatter} from './resolving.js'

const SHOWN_REVIEWS = 3
const OUTCOMES = {kept: 'Reviewed', 'left for later': 'Review left for later'}

/** Show the note whose short id ends a readable address, as `keep-orders-in-postgresql-1a2b3c4d` does. */
export async function readerByAddress(address) {
  return reader(address.slice(address.lastIndexOf('-') + 1))
}

export async function reader(id) {
  let reply
  try {
    reply = await call('opened', {id})
  } catch (error) {
    if (error.kind === 'NotFoundError') return goneArticle()
    throw error
  }
  return Object.assign(articleOf(reply), {renderedFrom: JSON.stringify(reply)})
}

function articleOf(reply) {
  if (reply.kind === 'document') return documentArticle(reply)
  if (reply.kind === 'memory') return memoryArticle(reply)
  if (reply.kind === 'passage') return passageArticle(reply)
  if (reply.kind === 'deleted') return deletedArticle(reply)
  return Object.assign(nodeArticle(reply), {
    pageTitle: reply.node.title,
    address: nodeHref(reply.node.id, reply.node.title), // a title in the address follows the note's
    onShown: filters().has('relate') ? focusRelation : null,
  })
}

/** Return what is shown at the address of a deleted note. */
function deletedArticle({id, title, deleted}) {
  return make(
    'section.state.deleted',
    {role: 'alert'},
    make('h1', {}, 'This note was deleted'),
    make('p', {}, `“${title}” was deleted on ${formatDate(deleted)}. Trash keeps its text and its relations.`),
    make(
      'div.row',
      {},
      make('button.primary', {type: 'button', onclick: () => changeAndReload('restore', {id})}, 'Restore'),
      make('a.button', {href: '#/trash'}, 'Open Trash'),
    ),
  )
}

/** Return what is shown at an address that leads to nothing, as after a note's creation was undone. */
function goneArticle() {
  return make(
    'section.state',
    {role: 'alert'},
    make('h1', {}, 'This note is not here'),
    make('p', {}, 'It was deleted for good, its creation was undone, or the address is wrong.'),
    make('div.row', {}, make('a.button', {href: '#/trash'}, 'Open Trash'), make('a.button', {href: '#/search/'}, 'Search'), make('a.button', {href: '#/'}, 'Go to the graph')),
  )
}

function nodeArticle(reply) {
  const {node, links, path} = reply
  const relations = links.filter((link) => !isMention(link))
  const facts = [
    ['Created', formatDate(node.created)],
    ['Changed', formatDate(node.modified)],
    ['Confidence', `${Math.round(node.confidence * 100)} %`],
    ...(node.session ? [['Written by', 'Claude, in a conversation']] : []),
    ...(node.source === 'manual' ? [] : [['Source', sourceName(node.source)]]),
    ['File', fileLink(path, make('code', {}, shortened(path)))],
    ['Id', make('span', {title: node.id}, shortened(node.id))],
  ]
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make(`i.dot.type-${node.type}`), node.type, statusPills(node)),
      make('h1', {}, node.title, reply.mark ? make('small.soft', {}, ` (${reply.mark})`) : null),
      reply.superseded_by.length ? make('p.banner.warn', {}, 'Superseded by ', reply.superseded_by.map(chip)) : null,
      reply.drifted.length
        ? make('p.banner.warn', {}, `Needs review: ${reply.drifted.join('; ')}. `, reviewForm(node, reply.needs_reason))
        : reply.marked
          ? make('p.banner.warn', {}, `Needs review: ${reply.marked}. `, reviewForm(node))
          : null,
      reviewsOf(reply.reviews),
      suggestions(node, reply.marked),
      node.secrets_left_out || node.hidden_characters
        ? make('p.banner', {}, `Part of this note is not shown; see ${path}.`)
        : null,
      renderMarkdown(bodyText(node.content, node.title), resolver(path, reply.targets)),
      node.tags.length
        ? make(
            'p.tags',
            {},
            node.tags.map((tag) => make('a.tag', {href: `#/search/${encodeURIComponent(tag)}`}, tag)),
          )
        : null,
      linkedFrom(links),
      historySection(node.id),
    ),
    make(
      'aside',
      {'aria-label': 'About this note'},
      make(
        'div.row.acts',
        {},
        make('a.button.primary', {href: `#/edit/${node.id}`}, isAccepted(node) ? 'Amend with a reason' : 'Edit'),
        isAccepted(node) && !reply.superseded_by.length
          ? make('a.button', {href: `#/new?supersedes=${node.id}`}, 'Write its replacement')
          : null,
        make('a.button', {href: `#//${node.id}`}, 'Show in graph'),
        make('button', {type: 'button', onclick: () => remove(node)}, 'Delete'),
      ),
      nearby(node.id),
      make('h2', {}, 'Related'),
      relations.length ? relatedList(node, relations) : make('p.soft', {}, noRelations(links.length)),
      relationForm(node),
      make('h2', {}, 'Duplicate of another note?'),
      nodePicker('Merge with…', (other) => (location.hash = `#/merge/${node.id}/${other.id}`), node.id),
      node.references.length
        ? [
            make('h2', {}, 'Refers to'),
            make(
              'ul.files',
              {},
              node.references.map((file) => make('li', {}, fileLink(file))),
            ),
            editorChoice(reloadView),
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

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Return what reviews of a note came to, with their reasons, the latest first; null if there was none. */
function reviewsOf(reviews) {
  const line = ({at, outcome, reason}) =>
    make(
      'li',
      {},
      `${OUTCOMES[outcome] ?? capitalized(outcome)} on `,
      make('time', {dateTime: at}, formatDate(at)),
      reason ? `: ${reason}` : '',
    )
  if (!reviews.length) return null
  const earlier = reviews.slice(SHOWN_REVIEWS)
  return make(
    'section.reviews',
    {'aria-label': 'Reviews'},
    make('ul.plain', {}, reviews.slice(0, SHOWN_REVIEWS).map(line)),
    earlier.length
      ? make('details', {}, make('summary', {}, `${earlier.length} earlier`), make('ul.plain', {}, earlier.map(line)))
      : null,
  )
}

function noRelations(mentions) {
  if (!mentions) return 'No relations yet.'
  return mentions === 1 ? 'One text links to it: see “Linked from”.' : `${mentions} texts link to it: see “Linked from”.`
}

function focusRelation() {
  document.querySelector('.relating [role=combobox]')?.focus()
}

/** Whether the text of a node is locked, because it is a decision that was accepted. */
function isAccepted(node) {
  return node.type === 'decision' && node.decision_status === 'accepted'
}

/** Return a button that marks a node as reviewed, for a reason that is kept in it. */
function reviewForm(node, needsReason = false) {
  const reason = make('input', {
    type: 'text',
    maxLength: 500,
    'aria-label': needsReason ? 'Why the changed text holds' : 'Why it still holds',
    placeholder: needsReason ? 'Why the changed text holds' : 'Why it still holds (optional)',
  })
  const keep = () => {
    if (!needsReason || reason.value.trim()) return changeAndReload('keep', {id: node.id, reason: reason.value})
    notify('Say why the changed text holds: the reason is kept in the note.', 0, true)
    reason.focus()
  }
  return make(
    'span.row',
    {},
    reason,
    make(
      'button',
      {type: 'button', onclick: keep},
      'Mark as reviewed',
    ),
  )
}

/** Return the suggestions for a node that was just created, or null; why it is *marked* for review is said already. */
function suggestions(node, marked) {
  const {
    missing_sections: sections = [],
    duplicates = [],
    relations_suggested: relations = [],
  } = suggestionsFor(node.id) ?? {}
  const pending = relations.filter(
    ({source, target, type}) =>
      !node.relations.some((relation) => relation.type === type && [source, target].includes(relation.target)),
  )
  const missing = sections.filter((section) => !marked.includes(section))
  if (!missing.length && !duplicates.length && !pending.length) return null
  return make(
    'section.banner',
    {'aria-label': 'Suggestions'},
    missing.length ? make('p', {}, `Missing sections: ${missing.join(', ')}.`) : null,
    duplicates.map((duplicate) =>
      make(
        'p.row',
        {},
        'It may duplicate: ',
        chip(duplicate),
        make('a.button', {href: `#/merge/${node.id}/${duplicate.id}`}, 'Compare and merge'),
      ),
    ),
    pending.map((suggestion) =>
      make(
        'p.row',
        {},
        make(
          'span',
          {},
          `${suggestion.source_title} ${relationLabel(suggestion.type, true)} ${suggestion.target_title}? `,
          make('span.soft', {}, plainReason(suggestion.reason)),
        ),
        make(
          'button',
          {
            type: 'button',
            onclick: () =>
              changeAndReload('relate', {source: suggestion.source, target: suggestion.target, type: suggestion.type}),
          },
          'Relate',
        ),
      ),
    ),
  )
}

/** Return in words where a note came from. */
function sourceName(source) {
  const [kind, ...rest] = source.split('_')
  const origin = rest.join(' ')
  return {import: `imported from ${origin}`, hook: `suggested by the ${origin} hook`}[kind] ?? source.replaceAll('_', ' ')
}

function statusPills(node) {
  const pills = []
  if (node.status !== 'active') pills.push(make(`span.pill.${node.status}`, {}, STATUS[node.status]))
  if (node.decision_status && node.decision_status !== 'superseded')
    pills.push(make('span.pill', {}, DECISION_STATUS[node.decision_status] ?? node.decision_status))
  return pills
}

function relatedList(node, links) {
  const groups = new Map()
  for (const link of links) {
    const label = relationLabel(link.type, link.out)
    if (!groups.has(label)) groups.set(label, [])
    groups.get(label).push(link)
  }
  return make(
    'dl.related',
    {},
    [...groups].map(([label, sameLabel]) => [
      make('dt', {}, label),
      sameLabel.map((link) =>
        make(
          'dd',
          {},
          chip(link),
          isRelation(link.type) ? removeButton(node, link) : null,
          link.description ? make('p.soft', {}, plainReason(link.description)) : null,
        ),
      ),
    ]),
  )
}

/** Return the reason of a relation that was inferred, with its list of files as words. */
function plainReason(reason) {
  return reason.replace(/^Common files: \[(.*)\]$/, 'Both refer to $1')
}

function removeButton(node, link) {
  const [source, target] = link.out ? [node.id, link.id] : [link.id, node.id]
  const relation = link.stored ?? {source, target, type: link.type}
  return make(
    'button.small',
    {
      type: 'button',
      title: 'Remove this relation',
      'aria-label': `Remove: ${relationLabel(link.type, link.out)} ${link.title}`,
      onclick: () => changeAndReload('unrelate', relation),
    },
    '×',
  )
}

function relationForm(node) {
  const kind = make(
    'select',
    {'aria-label': 'Type of relation'},
    Object.entries(RELATIONS).map(([type, [label]]) =>
      make('option', {value: type, selected: type === 'relates_to'}, label),
    ),
  )
  return make(
    'div.relating',
    {},
    make('p.soft', {}, 'Add a relation'),
    kind,
    nodePicker(
      'Relate to…',
      (other) => changeAndReload('relate', {source: node.id, target: other.id, type: kind.value}),
      node.id,
    ),
  )
}

async function changeAndReload(name, args) {
  try {
    await change(name, args)
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

async function remove(node) {
  try {
    await change('delete', {id: node.id})
    location.hash = '#/'
  } catch (error) {
    notify(error.message, 0, true)
  }
}

function documentArticle({document: opened, links, targets}) {
  const outgoing = links.filter((link) => !isMention(link))
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make('i.dot.type-document'), 'document'),
      make('h1', {}, opened.title),
      renderMarkdown(bodyText(withoutFrontmatter(opened.content), opened.title), resolver(opened.path, targets)),
      opened.cut ? make('p.banner', {}, `Truncated; the full text is in ${opened.path}.`) : null,
      linkedFrom(links),
      historySection(opened.id),
    ),
    make(
      'aside',
      {'aria-label': 'About this document'},
      nearby(opened.id),
      make('h2', {}, 'Links'),
      outgoing.length ? relatedList({id: opened.id}, outgoing) : make('p.soft', {}, 'No links.'),
      make(
        'dl.facts',
        {},
        make('dt', {}, 'File'),
        make('dd', {}, fileLink(opened.path), make('div', {}, editorChoice(reloadView))),
        make('dt', {}, 'Changed'),
        make('dd', {}, formatDate(opened.modified)),
      ),
    ),
  )
}

function memoryArticle({memory: opened, path, links}) {
  const facts = [
    ['Created', formatDate(opened.created_at)],
    ['Expires', opened.expires_at ? formatDate(opened.expires_at) : 'never'],
    ['Scope', scopeName(Object.values(opened.scope))],
    ['File', make('span', {title: path}, shortened(path))],
    ['Id', make('span', {title: opened.id}, shortened(opened.id))],
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
        'memory',
        opened.expired ? make('span.pill.needs_review', {}, 'expired') : null,
      ),
      make('h1', {}, nameOfKind(opened.kind)),
      renderMarkdown(opened.content, (target) => nodeHref(target)),
      opened.tags.length
        ? make(
            'p.tags',
            {},
            opened.tags.map((tag) => make('span.tag', {}, tag)),
          )
        : null,
    ),
    make(
      'aside',
      {'aria-label': 'About this memory'},
      links.length ? [make('h2', {}, 'Links'), relatedList({id: opened.id}, links)] : null,
      make(
        'dl.facts',
        {},
        facts.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
      ),
    ),
  )
}

function passageArticle({passage: opened}) {
  const {session_id: session, turn, timestamp} = opened.context
  const parts = [...(opened.before ?? []), {...opened, isOpened: true}, ...(opened.after ?? [])]
  return make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, `${opened.type} · ${formatDate(timestamp)}`),
      make('h1', {}, opened.context.question || 'A passage of a conversation'),
      parts.map((part) =>
        make(part.isOpened && parts.length > 1 ? 'div.passage.here' : 'div.passage', {}, passageContent(part)),
      ),
    ),
    make(
      'aside',
      {'aria-label': 'About this passage'},
      make(
        'a.button.primary',
        {href: `#/session/${encodeURIComponent(session)}/${encodeURIComponent(turn)}`},
        'Read the conversation',
      ),
      capturedSection('Notes from this passage', opened.captured_from_it),
      capturedSection('Other notes from its conversation', opened.captured_in_session),
    ),
  )
}

/** Return the text of a passage; code and what programs put out keep their lines. */
function passageContent({type, content}) {
  if (type === 'conversation' || type === 'decision') return renderMarkdown(withSpeakers(content))
  return make('pre', {tabIndex: 0}, content)
}

/** Return a passage with words for the marks before what each of the two said. */
function withSpeakers(content) {
  return content
    .replaceAll(/^❯ /gm, '**You:** ')
    .replaceAll(/^● /gm, '**Assistant:** ')
    .replaceAll(/^± (?=\S+: .* → )/gm, '**Edited:** ')
}

function capturedSection(title, nodes) {
  return nodes?.length
    ? [
        make('h2', {}, title),
        make(
          'ul.plain',
          {},
          nodes.map((node) => make('li', {}, chip(node))),
        ),
      ]
    : null
}

// What all views need to show nodes: addresses, chips, relation labels, and a field that picks a node.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'

export {RELATIONS, isRelation, relationLabel} from '/picture/relations.js'

export const TYPES = ['decision', 'component', 'convention', 'concept', 'pattern', 'issue', 'session']
export const DECISION_STATUS = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  rejected: 'Rejected',
  deprecated: 'Deprecated',
  superseded: 'Superseded',
}
export const STATUS = {active: 'Active', needs_review: 'Needs review', superseded: 'Superseded'}
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const SLUG_LENGTH = 60

/** Return the address of the note, document, memory or passage with that id; with a *title*, a note's readable one. */
export function nodeHref(id, title = '') {
  const slug = UUID.test(id) ? slugOf(title) : ''
  if (slug) return `#/note/${slug}-${id.slice(0, 8)}`
  return `#/node/${encodeURIComponent(id)}`
}

function slugOf(title) {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const slug = words.join('-').slice(0, SLUG_LENGTH).replace(/-$/, '')
  return encodeURIComponent(slug)
}

/** Return a path or id with its UUIDs cut to the eight digits that name a note everywhere. */
export function shortened(text) {
  return text.replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(\.md)?/g, (_, start, ending) =>
    ending ? `${start}…` : start,
  )
}

/** Return the name of a kind of memories. */
export function nameOfKind(kind) {
  if (kind === 'pr_context') return 'Pull request'
  const words = kind.replaceAll('_', ' ')
  return kind === 'ddl' ? 'DDL' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Return in words what a memory applies to; a project is named without the digits that tell it from its namesakes. */
export function scopeName(parts) {
  return parts.map((part) => part.replace(/-[0-9a-f]{8}$/, '')).join(' / ') || 'everything'
}

/** Return a link to a node, with a dot in the colour of its type. */
export function chip(node) {
  if (!node.title) return make('span.soft', {}, `${node.id} (missing)`)
  const type = node.is ?? node.type
  const hasColour = TYPES.includes(type) || type === 'document'
  return make(
    'a.chip',
    {href: nodeHref(node.id, TYPES.includes(type) ? node.title : '')},
    hasColour ? make(`i.dot.type-${type}`, {title: type}) : null,
    make('span', {}, node.title, node.mark ? make('small', {}, ` (${node.mark})`) : null),
  )
}

let pickerCount = 0

/** Return a field that finds nodes by their titles; *onPick* gets the chosen one. */
export function nodePicker(label, onPick, excludedId = '') {
  const listId = `choices-${++pickerCount}`
  const list = make('ul.choices', {role: 'listbox', id: listId, 'aria-label': label, hidden: true})
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    'aria-label': label,
    placeholder: label,
    autocomplete: 'off',
    oninput: suggest,
    onfocus: suggest,
    onkeydown: onKeydown,
  })
  let selectedIndex = -1
  let lastRequest = 0

  async function suggest() {
    const request = ++lastRequest
    const {titles} = await call('titles', {beginning: input.value})
    if (request !== lastRequest) return
    selectedIndex = -1
    const candidates = titles.filter((node) => node.id !== excludedId)
    fill(
      list,
      candidates.length
        ? candidates.map((node) =>
            Object.assign(
              make(
                'li',
                {
                  role: 'option',
                  id: `${listId}-${node.id}`,
                  'aria-selected': 'false',
                  onpointerdown: (event) => {
                    event.preventDefault()
                    pick(node)
                  },
                },
                make(`i.dot.type-${node.type}`),
                node.mark ? `${node.title} (${node.mark})` : node.title,
              ),
              {node},
            ),
          )
        : make('li.soft', {role: 'option', 'aria-disabled': 'true'}, 'No titles match'),
    )
    setOpen(true)
  }

  function setOpen(isOpen) {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
  }

  function pick(node) {
    input.value = node.title
    setOpen(false)
    onPick(node)
  }

  function onKeydown(event) {
    const options = [...list.querySelectorAll('[role=option]:not([aria-disabled])')]
    if (event.key === 'ArrowDown') selectedIndex = Math.min(selectedIndex + 1, options.length - 1)
    else if (event.key === 'ArrowUp') selectedIndex = Math.max(selectedIndex - 1, 0)
    else if (event.key === 'Enter' && !list.hidden && options.length) pick(options[Math.max(selectedIndex, 0)].node)
    else if (event.key === 'Escape') setOpen(false)
    else return
    event.preventDefault()
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === selectedIndex)))
    input.setAttribute('aria-activedescendant', options[selectedIndex]?.id ?? '')
    options[selectedIndex]?.scrollIntoView({block: 'nearest'})
  }

  input.addEventListener('blur', () => setOpen(false))
  return make('div.chooser', {}, input, list)
}

/** Return the items of a comma-separated list. */
export function splitAtCommas(text) {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Return the items of a list with one item per line. */
export function splitLines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

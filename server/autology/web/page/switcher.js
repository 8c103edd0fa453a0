// The quick switcher (Ctrl+K): everything in the project by its title, the views, and the search.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'
import {nodeHref} from './nodes.js'

const VIEWS = [
  ['Graph', '#/'],
  ['Decisions', '#/timeline'],
  ['Conversations', '#/sessions'],
  ['Memory', '#/memory'],
  ['Health', '#/health'],
  ['Trash', '#/trash'],
  ['New note', '#/new'],
]
const DELAY = 60 // milliseconds after a key before the server is asked

let dialog = null

/** Open the switcher, or close it if it is open. */
export function openSwitcher() {
  dialog ??= build()
  if (dialog.open) dialog.close()
  else dialog.start()
}

function build() {
  const list = make('ul.switcher-list', {role: 'listbox', id: 'switcher-list', 'aria-label': 'Matches'})
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'switcher-list',
    'aria-label': 'Go to anything',
    placeholder: 'A few letters of a title',
    autocomplete: 'off',
    spellcheck: false,
  })
  const element = make('dialog.switcher', {'aria-label': 'Go to anything'}, input, list)
  let selected = 0
  let lastRequest = 0
  let timer = 0
  let shownText = null
  document.body.append(element)
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(suggest, DELAY)
  })
  element.addEventListener('keydown', onKeydown)
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close() // the backdrop
    if (event.target.closest('a')) element.close()
  })
  element.start = () => {
    input.value = ''
    fill(list)
    element.showModal()
    suggest()
  }
  return element

  async function suggest() {
    const request = ++lastRequest
    const text = input.value.trim()
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    let items = []
    try {
      items = (await call('jump', {text})).items
    } catch {
      // the views and the search remain
    }
    if (request !== lastRequest) return
    const views = VIEWS.filter(([name]) => words.every((word) => name.toLowerCase().includes(word)))
    const rows = [
      ...(words.length ? [] : items.slice(0, 8).map(itemRow)),
      ...views.map(([name, href]) => row(name, 'view', href)),
      ...(words.length ? items.map(itemRow) : []),
      ...(text ? [row(`Search everything for “${text}”`, '', `#/search/${encodeURIComponent(text)}`)] : []),
    ]
    shownText = text
    fill(list, rows)
    choose(0)
  }

  function itemRow({id, title, kind, type, mark}) {
    const href = kind === 'conversation' ? `#/session/${encodeURIComponent(id)}` : nodeHref(id, kind === 'note' ? title : '')
    const dot = kind === 'note' || kind === 'document' ? make(`i.dot.type-${kind === 'document' ? kind : type}`) : null
    return row(mark ? `${title} (${mark})` : title, kind === 'note' ? type : kind, href, dot)
  }

  function row(title, kind, href, dot = null) {
    return make(
      'li',
      {role: 'option', id: `switch-${href}`},
      make('a', {href, tabIndex: -1}, dot, make('span', {}, title), make('small', {}, kind)),
    )
  }

  function choose(index) {
    const rows = [...list.children]
    selected = Math.max(0, Math.min(index, rows.length - 1))
    rows.forEach((one, number) => one.setAttribute('aria-selected', String(number === selected)))
    input.setAttribute('aria-activedescendant', rows[selected]?.id ?? '')
    rows[selected]?.scrollIntoView({block: 'nearest'})
  }

  async function onKeydown(event) {
    if (event.key === 'ArrowDown') choose(selected + 1)
    else if (event.key === 'ArrowUp') choose(selected - 1)
    else if (event.key === 'Enter') {
      event.preventDefault()
      clearTimeout(timer)
      if (input.value.trim() !== shownText) await suggest()
      const link = list.children[selected]?.querySelector('a')
      if (link && (event.ctrlKey || event.metaKey)) open(link.href, '_blank', 'noopener')
      else link?.click()
      return
    } else return
    event.preventDefault()
  }
}

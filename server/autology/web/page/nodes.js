// Nodes wherever they are named: their address, their chip, a field that chooses one.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'

export const TYPES = ['decision', 'component', 'convention', 'concept', 'pattern', 'issue', 'session']
export const STATUS = {active: 'In force', needs_review: 'Needs review', superseded: 'Superseded'}
export const RELATIONS = {
  affects: ['affects', 'is affected by'],
  uses: ['uses', 'is used by'],
  supersedes: ['supersedes', 'is superseded by'],
  relates_to: ['relates to', 'relates to'],
  implements: ['implements', 'is implemented by'],
  depends_on: ['depends on', 'is needed by'],
  derived_from: ['derives from', 'is the source of'],
}

/** Return the address of whatever has that id. */
export function to(id) {
  return `#/node/${encodeURIComponent(id)}`
}

/** Return a link to a node with its type. */
export function chip(node) {
  if (!node.title) return make('span.soft', {}, `${node.id} (missing)`)
  const type = node.is ?? node.type
  const known = TYPES.includes(type) || type === 'document'
  return make(
    'a.chip',
    {href: to(node.id)},
    known ? make(`i.dot.type-${type}`, {title: type}) : null,
    make('span', {}, node.title),
  )
}

/** Return the words of a relation, as the node that is looked at has it. */
export function relation(type, out) {
  return RELATIONS[type]?.[out ? 0 : 1] ?? `${out ? '' : '← '}${type.toLowerCase().replaceAll('_', ' ')}`
}

/** Return a field that chooses a node by the words of its title; *picked* is told which. */
export function chooser(label, picked, except = '') {
  const list = make('ul.choices', {role: 'listbox', hidden: true})
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-label': label,
    placeholder: label,
    autocomplete: 'off',
    oninput: look,
    onfocus: look,
    onkeydown: keys,
  })
  let at = -1
  let asked = 0

  async function look() {
    const mine = ++asked
    const {titles} = await call('titles', {beginning: input.value})
    if (mine !== asked) return
    at = -1
    const offered = titles.filter((each) => each.id !== except)
    fill(
      list,
      offered.length
        ? offered.map((each) =>
            Object.assign(
              make(
                'li',
                {
                  role: 'option',
                  onpointerdown: (event) => {
                    event.preventDefault()
                    take(each)
                  },
                },
                make(`i.dot.type-${each.type}`),
                each.title,
              ),
              {node: each},
            ),
          )
        : make('li.soft', {}, 'No title contains these words.'),
    )
    open(true)
  }

  function open(is) {
    list.hidden = !is
    input.setAttribute('aria-expanded', String(is))
  }

  function take(node) {
    input.value = node.title
    open(false)
    picked(node)
  }

  function keys(event) {
    const options = [...list.querySelectorAll('[role=option]')]
    if (event.key === 'ArrowDown') at = Math.min(at + 1, options.length - 1)
    else if (event.key === 'ArrowUp') at = Math.max(at - 1, 0)
    else if (event.key === 'Enter' && !list.hidden && options.length) take(options[Math.max(at, 0)].node)
    else if (event.key === 'Escape') open(false)
    else return
    event.preventDefault()
    options.forEach((each, number) => each.setAttribute('aria-selected', String(number === at)))
    options[at]?.scrollIntoView({block: 'nearest'})
  }

  input.addEventListener('blur', () => open(false))
  return make('div.chooser', {}, input, list)
}

/** Return the value of a list that people write with commas. */
export function words(text) {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/** Return the value of a list that people write a line each. */
export function lines(text) {
  return text
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean)
}

// The notes without any link, aside in a list: drawn, they would be a cloud of dots.

import {fill, make} from './elements.js'

const FIRST = 100 // rows until "Show more"

/**
 * Return {element, update}: a list that can be opened and searched, with a choice to draw the notes after all.
 * *hrefOf* returns the address of a node, or null where nothing opens.
 */
export function unlinkedList(graph, filters, hrefOf, onChange) {
  let shown = []
  let most = FIRST
  const summary = make('summary')
  const list = make('ul.plain-list')
  const more = make('button', {type: 'button', onclick: () => show((most *= 4))}, 'Show more')
  const field = make('input', {
    type: 'search',
    placeholder: 'Find in this list',
    'aria-label': 'Find among notes that are not linked',
    oninput: () => show((most = FIRST)),
  })
  const toggle = make('input', {
    type: 'checkbox',
    checked: filters.unlinked,
    onchange: () => {
      filters.unlinked = toggle.checked
      onChange('unlinked')
    },
  })
  const element = make(
    'details.unlinked',
    {},
    summary,
    make('label.check', {}, toggle, make('span', {}, 'Draw them, too')),
    field,
    list,
    more,
  )
  return {
    element,
    /** Show those of *nodes*, sorted by title, that the filters let through; *name* says what they are not. */
    update(nodes, name) {
      shown = nodes
      summary.textContent = `${name[0].toUpperCase()}${name.slice(1)} (${nodes.length.toLocaleString('en')})`
      element.hidden = !nodes.length
      toggle.checked = filters.unlinked
      show()
    },
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = shown.filter((node) => words.every((word) => graph.nodes[node].title.toLowerCase().includes(word)))
    more.hidden = matches.length <= most
    fill(
      list,
      matches.length
        ? matches.slice(0, most).map((node) => make('li', {}, entry(graph.nodes[node])))
        : make('li.empty', {}, 'No titles match'),
    )
  }

  function entry(node) {
    const href = hrefOf(node)
    const parts = [make(`i.dot.type-${node.type}`, {title: node.type}), make('span', {}, node.title)]
    return href ? make('a.entry-link', {href}, parts) : make('span.entry-link', {}, parts)
  }
}

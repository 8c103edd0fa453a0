// The graph view, cached until something changes.

import {make} from '/picture/elements.js'
import {explorer} from '/picture/explorer.js'
import {call} from './api.js'
import {changeVersion} from './undo.js'
import {nodeHref} from './nodes.js'

let cached = null
let cachedVersion = -1

export async function graph(selectedId) {
  if (!cached || cachedVersion !== changeVersion()) {
    const requestedVersion = changeVersion()
    const data = await call('graph')
    if (!data.nodes.length)
      return make(
        'section.state',
        {},
        make('h1', {}, 'No notes yet'),
        make('p', {}, 'Write the first note here, or import this project’s decision records with autology init.'),
        make('a.button.primary', {href: '#/new'}, 'New note'),
      )
    cached = explorer(data, (id) => (location.hash = nodeHref(id, titleOf(data, id))), cached)
    cached.element.classList.add('whole')
    cachedVersion = requestedVersion
  }
  cached.element.pageTitle = 'Graph'
  cached.element.onShown = () => selectedId && cached.show(selectedId)
  globalThis.picture = cached // for debugging in the console
  if (!cached.element.querySelector('h1')) cached.element.prepend(make('h1.unseen', {}, 'Graph'))
  return cached.element
}

function titleOf(data, id) {
  return data.nodes.find((node) => node.id === id && node.type !== 'document')?.title
}

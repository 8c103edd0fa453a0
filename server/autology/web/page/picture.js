// The graph: read once, and again after a change.

import {make} from '/picture/elements.js'
import {explorer} from '/picture/explorer.js'
import {call} from './api.js'
import {version} from './undo.js'
import {to} from './nodes.js'

let kept = null
let keptAt = -1

export async function graph(chosen) {
  if (!kept || keptAt !== version()) {
    const begun = version()
    const told = await call('graph')
    if (!told.nodes.length)
      return make(
        'section.state',
        {},
        make('h1', {}, 'No knowledge yet'),
        make(
          'p',
          {},
          'Write the first node here, or import this project’s decision records with autology init.',
        ),
        make('a.button.primary', {href: '#/new'}, 'New node'),
      )
    kept = explorer(told, (id) => (location.hash = to(id)))
    kept.element.classList.add('whole')
    keptAt = begun
  }
  kept.element.shown = () => chosen && kept.show(chosen)
  globalThis.picture = kept // for whoever looks into it from the console
  return kept.element
}

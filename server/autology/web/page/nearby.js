// The graph around a note, beside its text.

import {fill, make} from '/picture/elements.js'
import {nearbyGraph} from '/picture/nearby.js'
import {call} from './api.js'
import {nodeHref} from './nodes.js'

let steps = 1 // as the reader chose last

/** Return the section with the graph around a note or document; it disappears if that has no links. */
export function nearby(id) {
  const section = make('section.nearby', {'aria-label': 'Nearby', hidden: true})
  load(section, id)
  return section
}

async function load(section, id) {
  let data
  try {
    data = await call('around', {id})
  } catch {
    section.remove() // the text beside it is what matters
    return
  }
  if (data.nodes.length < 2) {
    section.remove()
    return
  }
  section.hidden = false
  fill(
    section,
    make('h2', {}, 'Nearby'),
    nearbyGraph(data, {
      hrefOf: ({id: other, title, type}) => nodeHref(other, type === 'document' ? '' : title),
      steps,
      onSteps: (count) => (steps = count),
    }),
    data.cut ? make('p.soft', {}, 'Only the nearest notes are shown.') : null,
  )
}

// The trash: deleted nodes, and buttons that restore them.

import {pluralize, formatDate, make, withCode} from '/picture/elements.js'
import {call} from './api.js'
import {change, notify} from './undo.js'
import {nodeHref} from './nodes.js'

export async function trash() {
  const reply = await call('trash')
  const memoriesNote = reply.memories
    ? make(
        'p.soft',
        {},
        withCode(`${pluralize(reply.memories, 'memory is', 'memories are')} in the trash, too: run \`autology restore\` to get them back.`),
      )
    : null
  if (!reply.nodes.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'The trash is empty'),
      make('p', {}, 'Deleted notes are kept here with their relations, and can be restored.'),
      memoriesNote,
    )
  return make(
    'section.list',
    {},
    make('h1', {}, 'Trash'),
    memoriesNote,
    make(
      'ul.plain.trashed',
      {},
      reply.nodes.map((node) =>
        make(
          'li',
          {},
          make(`i.dot.type-${node.type}`),
          make('span', {}, node.title),
          make('span.soft.when', {}, `deleted ${formatDate(node.deleted)}`),
          make('button', {type: 'button', 'aria-label': `Restore: ${node.title}`, onclick: () => restore(node)}, 'Restore'),
        ),
      ),
    ),
  )
}

async function restore(node) {
  try {
    await change('restore', {id: node.id})
    location.hash = nodeHref(node.id, node.title)
  } catch (error) {
    notify(error.message, 0, true)
  }
}

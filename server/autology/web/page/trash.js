// What was deleted, and the way back.

import {counted, day, make} from '/picture/elements.js'
import {call} from './api.js'
import {change, say} from './undo.js'
import {to} from './nodes.js'

export async function trash() {
  const told = await call('trash')
  const others = told.memories
    ? make(
        'p.soft',
        {},
        `${counted(told.memories, 'memory', 'memories')} in the trash too; autology restore restores them.`,
      )
    : null
  if (!told.nodes.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'The trash is empty'),
      make('p', {}, 'Deleted nodes are kept here with their relations.'),
      others,
    )
  return make(
    'section.list',
    {},
    make('h1', {}, 'Trash'),
    others,
    make(
      'ul.plain.trashed',
      {},
      told.nodes.map((each) =>
        make(
          'li',
          {},
          make(`i.dot.type-${each.type}`),
          make('span', {}, each.title),
          make('span.soft', {}, `deleted ${day(each.deleted)}`),
          make('button', {type: 'button', onclick: () => back(each)}, 'Restore'),
        ),
      ),
    ),
  )
}

async function back(node) {
  try {
    await change('restore', {id: node.id})
    location.hash = to(node.id)
  } catch (error) {
    say(error.message, 0, true)
  }
}

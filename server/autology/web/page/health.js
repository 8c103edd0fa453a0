// What is wrong with the notes, why that matters, and the buttons that mend it.

import {counted, make} from '/picture/elements.js'
import {call} from './api.js'
import {change, say} from './undo.js'
import {chip, relation} from './nodes.js'

const WORDS = {error: 'Broken', warning: 'Misleading', notice: 'Could be better'}

export async function health() {
  const told = await call('health')
  const groups = Object.keys(WORDS)
    .map((severity) => [severity, told.findings.filter((each) => each.severity === severity)])
    .filter(([, some]) => some.length)
  return make(
    'section.list.health',
    {},
    make('h1', {}, groups.length || told.troubles.length ? 'Health' : 'Everything is fine'),
    make('p.soft', {}, `${counted(told.nodes, 'node')} checked: ${told.checks.join(', ')}.`),
    (told.degraded ?? []).map((note) => make('p.banner.warn', {}, note)),
    told.troubles.length
      ? [
          make('h2', {}, 'Files and index'),
          make(
            'ul.plain',
            {},
            told.troubles.map((each) =>
              make('li.finding', {}, make('h3', {}, `${each.area}: ${each.problem}`), make('p.soft', {}, each.fix)),
            ),
          ),
        ]
      : null,
    groups.map(([severity, some]) => [
      make('h2', {}, `${WORDS[severity]} (${some.length})`),
      make('ul.plain', {}, some.map(finding)),
    ]),
    told.more ? make('p.soft', {}, told.more) : null,
  )
}

function finding(each) {
  const nodes = each.nodes.filter((node) => node.id)
  const titles = new Map(nodes.map((node) => [node.id, node.title]))
  return make(
    `li.finding.${each.severity}`,
    {},
    make('h3', {}, each.what),
    make('p', {}, each.why),
    each.evidence.length
      ? make(
          'ul.evidence',
          {},
          each.evidence.map((line) => make('li', {}, line)),
        )
      : null,
    nodes.length
      ? make(
          'p.row',
          {},
          nodes.slice(0, 8).map((node) => chip(node)),
          each.more_nodes ? `and ${each.more_nodes} more` : null,
        )
      : make('p.soft', {}, each.nodes.map((node) => node.path).join(', ')),
    make(
      'div.row',
      {},
      each.check === 'duplicates' && nodes.length === 2
        ? make('a.button.primary', {href: `#/merge/${nodes[1].id}/${nodes[0].id}`}, 'Compare and merge')
        : null,
      each.edited ? make('a.button', {href: `#/edit/${each.edited}`}, 'Edit') : null,
      each.acts.map((act) => make('button', {type: 'button', onclick: () => mend(act)}, named(act, titles))),
    ),
    each.acts.length || each.check === 'duplicates' || each.edited
      ? null
      : make('details', {}, make('summary', {}, 'How to fix it'), make('code', {}, each.fix)),
  )
}

function named({call: name, given}, titles) {
  const title = (id) => titles.get(id) ?? id.slice(0, 8)
  if (name === 'delete') return `Delete “${title(given.id)}”`
  if (name === 'update') {
    const field = Object.keys(given).find((key) => key !== 'id')
    const value = Array.isArray(given[field]) ? given[field].join(', ') || 'none' : given[field]
    return `Set the ${field.replace('_', ' ')} of “${title(given.id)}” to ${value}`
  }
  if (name === 'relate') return `“${title(given.source)}” ${relation(given.type, true)} “${title(given.target)}”`
  return `Remove the relation ${relation(given.type, true)}`
}

async function mend({call: name, given}) {
  try {
    await change(name, given)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } catch (error) {
    say(error.message, 0, true)
  }
}

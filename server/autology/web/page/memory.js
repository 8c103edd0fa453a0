// The list of memories, with the time until each one expires.

import {pluralize, formatDate, make, withCode} from '/picture/elements.js'
import {call} from './api.js'
import {nameOfKind, nodeHref, scopeName} from './nodes.js'

const DAY = 86400000

export async function memories() {
  const {items, now, counts, not_listed: notListed} = await call('memories')
  if (!items.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No memories yet'),
      make('p', {}, withCode('Facts with a lifetime appear here when Claude stores them. Ask it to remember something, or use `autology memory store`.')),
      counts.in_trash
        ? make('p.soft', {}, withCode(`${pluralize(counts.in_trash, 'memory is', 'memories are')} in the trash: run \`autology restore\` to get them back.`))
        : null,
    )
  const kinds = ['', ...new Set(items.map((item) => item.kind))]
  const rows = items.map((item) => memoryRow(item, now))
  const kindFilter = make(
    'select',
    {
      'aria-label': 'Kind',
      onchange: () =>
        rows.forEach((row, index) => (row.hidden = kindFilter.value !== '' && items[index].kind !== kindFilter.value)),
    },
    kinds.map((kind) => make('option', {value: kind}, kind ? nameOfKind(kind) : 'All kinds')),
  )
  return make(
    'section.list',
    {},
    make('h1', {}, pluralize(counts.total, 'memory', 'memories')),
    make(
      'p.soft',
      {},
      [
        `${counts.alive.toLocaleString('en')} active`,
        counts.expired ? `${counts.expired.toLocaleString('en')} expired` : '',
        `${counts.permanent.toLocaleString('en')} permanent`,
        counts.in_trash ? `${counts.in_trash.toLocaleString('en')} in the trash` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    make('div.row', {}, kindFilter),
    make('ul.plain.memories', {}, rows),
    notListed ? make('p.soft', {}, `${pluralize(notListed, 'item')} more; search finds them.`) : null,
  )
}

function memoryRow(item, now) {
  const scope = item.scope.length ? scopeName(item.scope) : item.of_user ? 'all your projects' : 'this project'
  return make(
    'li',
    {},
    make('a', {href: nodeHref(item.id)}, item.title),
    make('span.soft', {}, `${nameOfKind(item.kind)} · ${scope}`),
    make('span.life', {}, timeLeft(item, now)),
  )
}

function timeLeft({created, expires_at: end}, now) {
  if (!end) return 'permanent'
  const [start, current, expiry] = [created, now, end].map((stamp) => Date.parse(stamp))
  const days = Math.ceil((expiry - current) / DAY)
  if (days <= 0) return make('span.pill.needs_review', {}, `expired on ${formatDate(end)}`)
  return [
    make('span', {}, `${pluralize(days, 'day')} left`),
    make('meter', {
      min: 0,
      max: 1,
      value: Math.max(0, Math.min(1, (expiry - current) / (expiry - start || 1))),
      'aria-hidden': 'true',
    }),
  ]
}

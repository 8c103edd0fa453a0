// Memories, and how much of each one's time is left.

import {counted, day, make} from '/picture/elements.js'
import {call} from './api.js'
import {to} from './nodes.js'

const DAY = 86400000

export async function memories() {
  const {items, now, counts, not_listed: left} = await call('memories')
  if (!items.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No memories yet'),
      make('p', {}, 'Items that an agent stores, each with a kind, a scope and a lifetime, are listed here.'),
      counts.in_trash
        ? make('p.soft', {}, `${counted(counts.in_trash, 'item')} in the trash; autology restore restores them.`)
        : null,
    )
  const kinds = ['', ...new Set(items.map((each) => each.kind))]
  const rows = items.map((each) => row(each, now))
  const kind = make(
    'select',
    {
      'aria-label': 'Kind',
      onchange: () =>
        rows.forEach((each, number) => (each.hidden = kind.value !== '' && items[number].kind !== kind.value)),
    },
    kinds.map((each) => make('option', {value: each}, each.replaceAll('_', ' ') || 'All kinds')),
  )
  return make(
    'section.list',
    {},
    make('h1', {}, counted(counts.total, 'memory', 'memories')),
    make(
      'p.soft',
      {},
      [
        `${counts.alive.toLocaleString('en')} alive`,
        counts.expired ? `${counts.expired.toLocaleString('en')} over` : '',
        `${counts.permanent.toLocaleString('en')} for ever`,
        counts.in_trash ? `${counts.in_trash.toLocaleString('en')} in the trash` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    make('div.row', {}, kind),
    make(
      'div.scroll',
      {tabIndex: 0},
      make(
        'table.memories',
        {},
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            ['Memory', 'Kind', 'For', 'Time left'].map((each) => make('th', {scope: 'col'}, each)),
          ),
        ),
        make('tbody', {}, rows),
      ),
    ),
    left ? make('p.soft', {}, `${counted(left, 'item')} more; search finds them.`) : null,
  )
}

function row(item, now) {
  return make(
    'tr',
    {},
    make('td', {}, make('a', {href: to(item.id)}, item.title)),
    make('td', {}, item.kind.replaceAll('_', ' ')),
    make('td', {}, item.scope.join(' / ') || (item.of_user ? 'you' : 'this project')),
    make('td.life', {}, life(item, now)),
  )
}

function life({created, expires_at: end}, now) {
  if (!end) return 'for ever'
  const [from, at, to_] = [created, now, end].map((stamp) => Date.parse(stamp))
  const days = Math.ceil((to_ - at) / DAY)
  if (days <= 0) return make('span.pill.needs_review', {}, `expired on ${day(end)}`)
  return [
    make('meter', {
      min: 0,
      max: 1,
      value: Math.max(0, Math.min(1, (to_ - at) / (to_ - from || 1))),
      'aria-label': 'Time left',
    }),
    make('span', {}, counted(days, 'day')),
  ]
}

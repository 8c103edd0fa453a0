// Past sessions, and one of them from its first word to its last, beside the nodes that came of it.

import {counted, day, make} from '/picture/elements.js'
import {call} from './api.js'
import {rendered} from './markdown.js'
import {chip} from './nodes.js'

const WHO = {user: 'You', assistant: 'Assistant', tool: 'Tool'}

export async function sessions() {
  const told = await call('sessions')
  if (!told.sessions.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No conversations yet'),
      make('p', {}, 'Claude Code sessions of this project appear here once they have been indexed.'),
      (told.degraded ?? []).map((note) => make('p.soft', {}, note)),
    )
  let last = ''
  return make(
    'section.list',
    {},
    make('h1', {}, 'Conversations'),
    told.degraded.map((note) => make('p.banner', {}, note)),
    make(
      'ol.plain.sessions',
      {},
      told.sessions.map((each) => {
        const date = day(each.began)
        const head = date === last ? '' : date
        last = date
        return make(
          'li',
          {},
          make('time', {dateTime: each.began}, head),
          make(
            'a',
            {href: `#/session/${encodeURIComponent(each.id)}`},
            each.question || 'A session without a question',
          ),
          make('span.soft', {}, [counted(each.passages, 'passage'), each.branch].filter(Boolean).join(' · ')),
        )
      }),
    ),
  )
}

export async function session(id, turn = '') {
  const told = await call('session', {id, ...(turn ? {turn} : {})})
  const list = make('ol.plain.turns')
  const made = make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make('a', {href: '#/sessions'}, 'Conversations')),
      make('h1', {}, told.turns.length ? day(told.turns[0].at) : 'A conversation'),
      told.first ? make('a.button', {href: `#/session/${encodeURIComponent(id)}`}, 'From the beginning') : null,
      list,
    ),
    make(
      'aside',
      {'aria-label': 'Captured nodes'},
      make('h2', {}, 'Captured from it'),
      told.nodes.length
        ? make(
            'ul.plain',
            {},
            told.nodes.map((node) =>
              make(
                'li',
                {},
                chip(node),
                node.turn
                  ? make(
                      'button.small',
                      {type: 'button', 'aria-label': `Where ${node.title} was discussed`, onclick: () => there(node.turn)},
                      'where',
                    )
                  : null,
              ),
            ),
          )
        : make('p.soft', {}, 'Nothing was captured from it.'),
    ),
  )
  add(told)
  made.shown = () => turn && there(turn)
  return made

  function add(more) {
    const of = byTurn(told.nodes)
    list.append(...more.turns.map((each) => said(each, of.get(each.id) ?? [])).filter(Boolean))
    if (more.more) {
      const next = make(
        'button',
        {
          type: 'button',
          onclick: async () => {
            next.disabled = true
            const rest = await call('session', {id, first: more.first + more.turns.length})
            next.parentElement.remove()
            add(rest)
          },
        },
        'Go on',
      )
      list.append(make('li', {}, next))
    }
  }

  function there(which) {
    const found = list.querySelector(`[data-turn="${CSS.escape(which)}"]`)
    if (!found) return
    found.scrollIntoView({block: 'center'})
    found.classList.add('here')
    found.focus({preventScroll: true})
  }
}

function said(turn, nodes) {
  const body = []
  if (turn.role === 'tool') {
    if (turn.text.trim())
      body.push(
        make(
          'details',
          {},
          make(
            'summary',
            {},
            `${turn.tool || 'Tool'} ${turn.failed ? 'failed' : 'said'}: ${turn.text.trim().split('\n')[0].slice(0, 110)}`,
          ),
          make('pre', {}, turn.text, turn.cut ? `\n… ${turn.cut.toLocaleString('en')} characters more` : ''),
        ),
      )
  } else {
    if (turn.text.trim()) body.push(rendered(turn.text))
    if (turn.cut) body.push(make('p.soft', {}, `… ${turn.cut.toLocaleString('en')} characters more`))
    for (const each of turn.calls ?? []) body.push(used(each))
  }
  if (!body.length) return null
  return make(
    `li.turn.${turn.role}`,
    {'data-turn': turn.id, tabIndex: -1},
    make(
      'header',
      {},
      make('strong', {}, WHO[turn.role] ?? turn.role),
      make(
        'time',
        {dateTime: turn.at},
        new Date(turn.at).toLocaleTimeString(undefined, {hour: '2-digit', minute: '2-digit'}),
      ),
    ),
    make('div', {}, body, nodes.length ? make('p.row.captured', {}, 'Captured: ', nodes.map(chip)) : null),
  )
}

function used(call_) {
  const about = call_.about.startsWith(call_.tool)
    ? call_.about
    : [call_.tool, call_.about || call_.files.join(', ')].filter(Boolean).join(' · ')
  if (!call_.code) return make('p.used', {}, about)
  return make('details.used', {}, make('summary', {}, about), make('pre', {}, call_.code))
}

function byTurn(nodes) {
  const found = new Map()
  for (const node of nodes) found.set(node.turn, [...(found.get(node.turn) ?? []), node])
  return found
}

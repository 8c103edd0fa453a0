// The list of past sessions, and one whole session beside the nodes captured from it.

import {fill, formatDate, make, pluralize, withCode} from '/picture/elements.js'
import {filters, reloadView, setFilters} from './address.js'
import {call} from './api.js'
import {renderMarkdown} from '/site/markdown.js'
import {copy} from './copying.js'
import {chip} from './nodes.js'

const SPEAKERS = {user: 'You', assistant: 'Assistant', tool: 'Tool'}

const PERIODS = [
  ['', 'Any time'],
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['365', 'Last year'],
]

/** The list of conversations; the address holds its filters. */
export async function sessions() {
  const chosen = filters()
  const everywhere = chosen.get('projects') === 'all'
  const reply = await call('sessions', {everywhere})
  const text = make('input', {
    type: 'search',
    value: chosen.get('text') ?? '',
    placeholder: 'Filter by the first prompt',
    'aria-label': 'Filter conversations',
    oninput: () => {
      setFilters({text: text.value.trim()})
      show()
    },
  })
  const period = choice('Time', PERIODS, chosen.get('days') ?? '', (days) => {
    setFilters({days})
    show()
  })
  const projects = [
    ['', 'This project'],
    ['all', 'All projects'],
  ]
  const project = choice('Projects', projects, everywhere ? 'all' : '', (value) => {
    setFilters({projects: value})
    reloadView()
  })
  const list = make('ol.plain.sessions')
  const summary = make('p.soft', {role: 'status'})
  show()
  return make(
    'section.list',
    {},
    make('h1', {}, reply.sessions.length ? 'Conversations' : 'No conversations yet'),
    reply.degraded.map((note) => make('p.banner', {}, note)),
    make(
      'p',
      {},
      make('a', {href: '#/mined'}, 'Settled, but not captured'),
      make('span.soft', {}, ': choices, rules and fixes from past sessions that are in no note'),
    ),
    make(
      'div.row.filters',
      {role: 'group', 'aria-label': 'Filters'},
      reply.sessions.length ? [text, period] : null,
      project,
    ),
    summary,
    list,
  )

  function show() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
    const since = period.value ? Date.now() - Number(period.value) * 86_400_000 : 0
    const shown = reply.sessions.filter(
      (session) =>
        words.every((word) => `${session.question} ${session.branch}`.toLowerCase().includes(word)) &&
        Date.parse(session.ended) >= since,
    )
    fill(
      summary,
      reply.sessions.length
        ? shown.length
          ? pluralize(shown.length, 'conversation')
          : 'No conversation matches these filters.'
        : withCode('Sessions of Claude Code in this project appear here on their own. Run `autology sync` to read those from before.'),
    )
    if (reply.sessions.length && !shown.length) {
      fill(list, make('li.nothing', {}, make('button', {type: 'button', onclick: clearFilters}, 'Clear the filters')))
      return
    }
    let previousDate = ''
    fill(
      list,
      shown.map((session) => {
        const date = formatDate(session.began)
        const shownDate = date === previousDate ? '' : date
        previousDate = date
        return sessionItem(session, shownDate, everywhere)
      }),
    )
  }

  function clearFilters() {
    text.value = ''
    period.value = ''
    setFilters({text: '', days: ''})
    show()
    text.focus()
  }
}

function sessionItem(session, shownDate, showsProject) {
  return make(
    'li',
    {},
    make('time', {dateTime: session.began}, shownDate),
    make(
      'a',
      {href: `#/session/${encodeURIComponent(session.id)}`},
      session.question || 'A session without a question',
    ),
    make(
      'span.soft',
      {},
      [showsProject ? session.project : '', session.branch ? `branch ${session.branch}` : '']
        .filter(Boolean)
        .join(' · '),
    ),
  )
}

function choice(label, options, value, onPick) {
  return make(
    'select',
    {'aria-label': label, onchange: (event) => onPick(event.target.value)},
    options.map(([key, name]) => make('option', {value: key, selected: key === value}, name)),
  )
}

export async function session(id, turn = '') {
  const conversation = await call('session', {id, ...(turn ? {turn} : {})})
  const turnList = make('ol.plain.turns')
  let loaded = 0
  const element = make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make('a', {href: '#/sessions'}, 'Conversations')),
      make('h1', {}, conversation.question || 'A conversation'),
      make(
        'p.soft',
        {},
        formatDate(conversation.began || conversation.turns[0]?.at),
        conversation.agent === 'Claude Code' ? null : ` in ${conversation.agent}`,
      ),
      conversation.first ? make('a.button', {href: `#/session/${encodeURIComponent(id)}`}, 'From the beginning') : null,
      turnList,
    ),
    make(
      'aside',
      {'aria-label': 'Notes captured in this conversation'},
      conversation.resume
        ? make(
            'div.row.acts',
            {},
            make(
              'button',
              {type: 'button', title: conversation.resume, onclick: () => copy(conversation.resume)},
              'Copy the command that resumes it',
            ),
          )
        : null,
      make('h2', {}, 'Notes from this conversation'),
      conversation.nodes.length
        ? make(
            'ul.plain',
            {},
            conversation.nodes.map((node) =>
              make(
                'li',
                {},
                chip(node),
                node.turn
                  ? make(
                      'button.small',
                      {
                        type: 'button',
                        'aria-label': `Show where ${node.title} was discussed`,
                        onclick: () => highlightTurn(node.turn),
                      },
                      'Show where',
                    )
                  : null,
              ),
            ),
          )
        : make('p.soft', {}, 'No notes captured.'),
    ),
  )
  append(conversation)
  element.pageTitle = conversation.question || 'Conversation'
  element.onChanged = () => loadNew()
  element.onShown = () => turn && highlightTurn(turn)
  return element

  function append(page) {
    const nodesByTurn = groupByTurn(conversation.nodes)
    turnList.append(...page.turns.map((turn) => turnItem(turn, nodesByTurn.get(turn.id) ?? [])).filter(Boolean))
    loaded = page.first + page.turns.length
    if (page.more) {
      const next = make(
        'button.more',
        {
          type: 'button',
          onclick: async () => {
            next.disabled = true
            const nextPage = await call('session', {id, first: page.first + page.turns.length})
            next.parentElement.remove()
            append(nextPage)
          },
        },
        'Load more',
      )
      turnList.append(make('li', {}, next))
    }
  }

  /** Add the turns that were added to the conversation, if the page shows it to its end. */
  async function loadNew() {
    if (turnList.querySelector('button.more')) return
    const next = await call('session', {id, first: loaded})
    append(next)
  }

  function highlightTurn(turnId) {
    const turnElement = turnList.querySelector(`[data-turn="${CSS.escape(turnId)}"]`)
    if (!turnElement) return
    turnElement.scrollIntoView({block: 'center'})
    turnElement.classList.add('current')
    turnElement.focus({preventScroll: true})
  }
}

function turnItem(turn, nodes) {
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
            `${turn.tool || 'Tool'} ${turn.failed ? 'failed' : 'output'}: ${turn.text.trim().split('\n')[0].slice(0, 110)}`,
          ),
          make('pre', {}, turn.text, turn.cut ? `\n… ${turn.cut.toLocaleString('en')} characters more` : ''),
        ),
      )
  } else {
    if (turn.text.trim()) body.push(renderMarkdown(turn.text))
    if (turn.cut) body.push(make('p.soft', {}, `… ${turn.cut.toLocaleString('en')} characters more`))
    for (const toolCall of turn.calls ?? []) body.push(toolCallElement(toolCall))
  }
  if (!body.length) return null
  return make(
    `li.turn.${turn.role}`,
    {'data-turn': turn.id, tabIndex: -1},
    make(
      'header',
      {},
      make('strong', {}, SPEAKERS[turn.role] ?? turn.role),
      make(
        'time',
        {dateTime: turn.at},
        new Date(turn.at).toLocaleTimeString(undefined, {hour: '2-digit', minute: '2-digit'}),
      ),
    ),
    make('div', {}, body, nodes.length ? make('p.row.captured', {}, 'Captured: ', nodes.map(chip)) : null),
  )
}

function toolCallElement(toolCall) {
  const about = toolCall.about.startsWith(toolCall.tool)
    ? toolCall.about
    : [toolCall.tool, toolCall.about || toolCall.files.join(', ')].filter(Boolean).join(' · ')
  if (!toolCall.code) return make('p.tool-call', {}, about)
  return make('details.tool-call', {}, make('summary', {}, about), make('pre', {}, toolCall.code))
}

function groupByTurn(nodes) {
  const groups = new Map()
  for (const node of nodes) groups.set(node.turn, [...(groups.get(node.turn) ?? []), node])
  return groups
}

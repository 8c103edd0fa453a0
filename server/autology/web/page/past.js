// The list of past sessions, and one whole session beside the nodes captured from it.

import {pluralize, formatDate, make} from '/picture/elements.js'
import {call} from './api.js'
import {renderMarkdown} from '/site/markdown.js'
import {chip} from './nodes.js'

const SPEAKERS = {user: 'You', assistant: 'Assistant', tool: 'Tool'}

export async function sessions() {
  const reply = await call('sessions')
  if (!reply.sessions.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No conversations yet'),
      make('p', {}, 'Claude Code sessions of this project appear here once they have been indexed.'),
      (reply.degraded ?? []).map((note) => make('p.soft', {}, note)),
    )
  let previousDate = ''
  return make(
    'section.list',
    {},
    make('h1', {}, 'Conversations'),
    reply.degraded.map((note) => make('p.banner', {}, note)),
    make(
      'ol.plain.sessions',
      {},
      reply.sessions.map((session) => {
        const date = formatDate(session.began)
        const shownDate = date === previousDate ? '' : date
        previousDate = date
        return make(
          'li',
          {},
          make('time', {dateTime: session.began}, shownDate),
          make(
            'a',
            {href: `#/session/${encodeURIComponent(session.id)}`},
            session.question || 'A session without a question',
          ),
          make('span.soft', {}, [pluralize(session.passages, 'passage'), session.branch].filter(Boolean).join(' · ')),
        )
      }),
    ),
  )
}

export async function session(id, turn = '') {
  const conversation = await call('session', {id, ...(turn ? {turn} : {})})
  const turnList = make('ol.plain.turns')
  const element = make(
    'article.reader',
    {},
    make(
      'div.text',
      {},
      make('p.kind', {}, make('a', {href: '#/sessions'}, 'Conversations')),
      make('h1', {}, conversation.turns.length ? formatDate(conversation.turns[0].at) : 'A conversation'),
      conversation.first ? make('a.button', {href: `#/session/${encodeURIComponent(id)}`}, 'From the beginning') : null,
      turnList,
    ),
    make(
      'aside',
      {'aria-label': 'Notes captured in this conversation'},
      make('h2', {}, 'Captured from it'),
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
                      'show',
                    )
                  : null,
              ),
            ),
          )
        : make('p.soft', {}, 'Nothing was captured from it.'),
    ),
  )
  append(conversation)
  element.onShown = () => turn && highlightTurn(turn)
  return element

  function append(page) {
    const nodesByTurn = groupByTurn(conversation.nodes)
    turnList.append(...page.turns.map((turn) => turnItem(turn, nodesByTurn.get(turn.id) ?? [])).filter(Boolean))
    if (page.more) {
      const next = make(
        'button',
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
            `${turn.tool || 'Tool'} ${turn.failed ? 'failed' : 'said'}: ${turn.text.trim().split('\n')[0].slice(0, 110)}`,
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

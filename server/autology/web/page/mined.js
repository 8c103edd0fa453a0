// What past sessions settled and no note says: a queue in which each candidate is kept, edited first, or dismissed.

import {fill, formatDate, make, pluralize} from '/picture/elements.js'
import {call} from './api.js'
import {chip} from './nodes.js'
import {copy} from './copying.js'
import {markChanged, notify} from './undo.js'

const KINDS = {settled: 'Choice', rule: 'Rule', fix: 'Fix'}
const SPEAKERS = {user: 'you', assistant: 'the assistant'}

/** The queue, then the lines of Claude Code's own memory that repeat or contradict a note. */
export async function mined() {
  const [queue, memory] = await Promise.all([call('mined'), call('memory_findings')])
  const {candidates} = queue
  return make(
    'section.list.mined',
    {},
    make('h1', {}, candidates.length ? 'Settled, but not captured' : 'Nothing to capture'),
    make(
      'p.soft',
      {},
      candidates.length
        ? `${pluralize(candidates.length, 'candidate')} from past sessions, in no note yet. Nothing is captured without you.`
        : 'What past sessions settled is in a note, or you dismissed it.',
    ),
    queue.degraded.map((note) => make('p.banner', {}, note)),
    make('ul.plain', {}, candidates.map(candidateItem)),
    memory.findings.length ? memorySection(memory.findings) : null,
  )
}

function candidateItem(candidate) {
  const item = make('li.finding')
  showCandidate()
  return item

  function showCandidate() {
    fill(
      item,
      make('h3', {}, `${KINDS[candidate.kind] ?? 'Choice'}: “${candidate.quote}”`),
      candidate.outcome ? make('p', {}, `Then: “${candidate.outcome}”`) : null,
      make(
        'p.soft',
        {},
        `Said by ${SPEAKERS[candidate.author] ?? candidate.author} on ${formatDate(candidate.at)} in `,
        make('a', {href: sourceHref(candidate)}, 'this conversation'),
      ),
      make(
        'div.row',
        {},
        button('Keep', () => keep(candidate.title, candidate.content), 'primary'),
        button('Edit and keep', showEditor),
        button('Dismiss', () => dismiss(true)),
      ),
    )
  }

  function showEditor() {
    const title = make('input', {value: candidate.title, 'aria-label': 'Title'})
    const content = make('textarea.content', {value: candidate.content, rows: 10, 'aria-label': 'Content'})
    fill(
      item,
      make('h3', {}, `“${candidate.quote}”`),
      make('div.field', {}, title, content),
      make(
        'div.row',
        {},
        button('Keep', () => keep(title.value, content.value), 'primary'),
        button('Cancel', showCandidate),
      ),
    )
    title.focus()
  }

  async function keep(title, content) {
    await act(async () => {
      const node = await call('accept_mined', {id: candidate.id, title, content})
      markChanged()
      fill(item, make('p', {role: 'status'}, 'Captured as ', chip(node)))
    })
  }

  async function dismiss(dismissed) {
    await act(async () => {
      await call('dismiss_mined', {id: candidate.id, dismissed})
      if (!dismissed) return showCandidate()
      fill(
        item,
        make('div.row', {}, make('span.soft', {role: 'status'}, `Dismissed: “${candidate.quote}”`)),
        make('div.row', {}, button('Put it back', () => dismiss(false))),
      )
    })
  }

  async function act(step) {
    try {
      await step()
    } catch (error) {
      notify(error.message, 0, true)
    }
  }

  function button(label, onclick, kind = '') {
    const name = `button${kind ? `.${kind}` : ''}`
    return make(name, {type: 'button', 'aria-label': `${label}: ${candidate.quote}`, onclick}, label)
  }
}

function sourceHref({session, turn}) {
  return `#/session/${encodeURIComponent(session)}/${encodeURIComponent(turn)}`
}

function removal({line}) {
  return `autology review --memory --strike ${line}`
}

function memorySection(findings) {
  return [
    make('h2', {}, "Claude Code's own memory"),
    make('p.soft', {}, 'Lines that repeat or contradict a note. A command in the terminal removes one, and keeps it aside.'),
    make(
      'ul.plain',
      {},
      findings.map((finding) =>
        make(
          'li.finding',
          {},
          make('h3', {}, `“${finding.says}” ${finding.as} a note`),
          make('p', {}, 'The note ', chip(finding.note), `: “${finding.there.replaceAll('`', '')}”`),
          make(
            'button',
            {
              type: 'button',
              title: removal(finding),
              'aria-label': `Copy the command that removes: ${finding.says}`,
              onclick: () => copy(removal(finding)),
            },
            'Copy the command that removes it',
          ),
        ),
      ),
    ),
  ]
}

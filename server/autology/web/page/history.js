// The history of a note's file: its commits, what each changed, and what has changed since.

import {fill, formatDate, make} from '/picture/elements.js'
import {call} from './api.js'

const UNCOMMITTED = 'uncommitted'
const STATES = {
  'no git': 'This project is not under version control, or git is not installed.',
  new: 'Not committed yet.',
}

/** Return the section with the history of the note or document *id*; it is loaded when it is opened. */
export function historySection(id) {
  const body = make('div.history-list')
  return make('details.history', {ontoggle: (event) => event.target.open && load(body, id)}, make('summary', {}, 'History'), body)
}

async function load(body, id) {
  if (!body.childElementCount) fill(body, make('p.soft', {'aria-busy': 'true'}, 'Loading…'))
  try {
    const history = await call('history', {id})
    if (body.shown === JSON.stringify(history)) return // opened again
    body.shown = JSON.stringify(history)
    fill(body, ...historyList(id, history))
  } catch (error) {
    fill(body, make('p.banner.bad', {}, error.message))
  }
}

function historyList(id, {state, commits, more, shallow}) {
  const note = STATES[state]
  return [
    note ? make('p.soft', {}, note) : null,
    make(
      'ol.plain.commits',
      {},
      state === 'changed'
        ? commitItem(id, {id: UNCOMMITTED, subject: 'Changes not committed yet', author: '', at: ''})
        : null,
      commits.map((commit, index) => commitItem(id, commit, index > 0 || state === 'changed')),
    ),
    more ? make('p.soft', {}, `Older commits are not shown; git log --follow lists them.`) : null,
    shallow ? make('p.soft', {}, 'This clone is shallow: older commits are missing.') : null,
  ].filter(Boolean)
}

function commitItem(id, commit, hasLater = false) {
  const body = make('div.comparison')
  const load = () => show(body, id, commit.id, 'before')
  return make(
    'li',
    {},
    make(
      'details',
      {ontoggle: (event) => event.target.open && !body.childElementCount && load()},
      make(
        'summary',
        {title: commit.id === UNCOMMITTED ? '' : commit.id},
        make('span', {}, commit.subject),
        commit.at
          ? make('small.soft', {}, make('time', {dateTime: commit.at}, formatDate(commit.at)), ` · ${commit.author}`)
          : null,
        commit.path ? make('small.soft', {}, `as ${commit.path}`) : null,
      ),
      hasLater ? baseChoice((base) => show(body, id, commit.id, base), commit.id) : null,
      body,
    ),
  )
}

/** Return the choice between what a commit changed and what has changed since. */
function baseChoice(onPick, name) {
  const option = (value, label, checked) =>
    make(
      'label.check',
      {},
      make('input', {type: 'radio', name: `base-${name}`, value, checked, onchange: () => onPick(value)}),
      make('span', {}, label),
    )
  return make(
    'div.row',
    {role: 'radiogroup', 'aria-label': 'Compare'},
    option('before', 'What it changed', true),
    option('now', 'What has changed since', false),
  )
}

async function show(body, id, commit, base) {
  body.wanted = base
  fill(body, make('p.soft', {'aria-busy': 'true'}, 'Loading…'))
  let content
  try {
    content = changeList(await call('comparison', {id, commit, base}))
  } catch (error) {
    content = [make('p.banner.bad', {}, error.message)]
  }
  if (body.wanted === base) fill(body, ...content)
}

function changeList({changes, cut, too_different: isTooDifferent, unknown}) {
  if (unknown) return [make('p.soft', {}, 'The version before it is not available.')]
  if (isTooDifferent) return [make('p.soft', {}, 'The versions differ too much to compare.')]
  if (!changes.length) return [make('p.soft', {}, 'No difference in the text.')]
  return [
    ...changes.map(({section, parts}) =>
      make(
        'section',
        {},
        section ? make('p.where', {}, section) : null,
        make('p.changed', {}, parts.map(part)),
      ),
    ),
    cut ? make('p.soft', {}, 'Further changes are not shown.') : null,
  ].filter(Boolean)
}

function part([kind, text]) {
  if (kind === 'same') return make('span', {}, text)
  return make(kind === 'new' ? 'ins' : 'del', {}, text)
}

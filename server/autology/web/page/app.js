// The page: who may come in, what the address asks for, and what every view shares.

import {fill, make} from '/picture/elements.js'
import {call, enter} from './api.js'
import {keep, undoLast} from './undo.js'
import {edit, fresh} from './editor.js'
import {health} from './health.js'
import {memories} from './memory.js'
import {merge} from './merge.js'
import {session, sessions} from './past.js'
import {graph} from './picture.js'
import {reader} from './reader.js'
import {search} from './search.js'
import {timeline} from './timeline.js'
import {trash} from './trash.js'

const view = document.getElementById('view')
const top = document.getElementById('top')
const PATIENCE = 180 // milliseconds before a view says that it is being read

const VIEWS = {
  '': graph,
  node: reader,
  edit,
  new: fresh,
  merge,
  search,
  timeline,
  sessions,
  session,
  memory: memories,
  health,
  trash,
}
const TABS = [
  ['', 'Graph'],
  ['timeline', 'Decisions'],
  ['sessions', 'Conversations'],
  ['memory', 'Memory'],
  ['health', 'Health'],
  ['trash', 'Trash'],
]
let turn = 0

async function start() {
  try {
    if (!(await enter()))
      throw new Error('Open this page with the address that `autology web` prints in the terminal.')
    const told = await call('overview')
    document.title = `${told.name} — Autology`
    fill(top, ...bar(told.name))
    top.hidden = false
    addEventListener('hashchange', show)
    addEventListener('keydown', keys)
    await show()
  } catch (error) {
    fill(
      view,
      state('Not open', error.message, 'Run autology web again and open the address it prints; it works once.'),
    )
  }
}

function bar(name) {
  const search = make('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search everything',
    'aria-label': 'Search everything',
    'aria-keyshortcuts': '/',
  })
  const form = make(
    'form',
    {
      role: 'search',
      onsubmit: (event) => {
        event.preventDefault()
        if (search.value.trim()) location.hash = `#/search/${encodeURIComponent(search.value.trim())}`
      },
    },
    search,
  )
  return [
    make('a.home', {href: '#/', title: name}, name),
    make(
      'nav',
      {'aria-label': 'Views'},
      TABS.map(([at, text]) => make('a', {href: `#/${at}`, 'data-tab': at}, text)),
    ),
    form,
    make('a.button', {href: '#/new'}, 'New node'),
  ]
}

async function show() {
  const [name = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decode)
  const mine = ++turn
  if (name !== 'search') document.getElementById('search').value = ''
  for (const tab of top.querySelectorAll('[data-tab]')) {
    const here = tab.dataset.tab === name || (name === 'session' && tab.dataset.tab === 'sessions')
    here ? tab.setAttribute('aria-current', 'page') : tab.removeAttribute('aria-current')
  }
  const waiting = setTimeout(() => {
    if (mine === turn) fill(view, make('p.state', {'aria-busy': 'true'}, 'Reading…'))
  }, PATIENCE)
  try {
    const made = await (VIEWS[name] ?? missing)(...rest)
    clearTimeout(waiting)
    if (mine !== turn) return
    fill(view, made)
    view.dataset.view = name
    if (name) view.scrollTop = 0
    made.shown?.()
    if (document.activeElement === document.body) view.focus({preventScroll: true})
  } catch (error) {
    clearTimeout(waiting)
    if (mine !== turn) return
    fill(
      view,
      state('Cannot show this', error.message, '', make('button', {type: 'button', onclick: show}, 'Try again')),
    )
    if (!error.kind) throw error
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

async function missing() {
  return state(
    'Unknown view',
    'This address does not exist on this page.',
    '',
    make('a.button', {href: '#/'}, 'Go to the graph'),
  )
}

function state(title, text, step = '', act = null) {
  return make(
    'section.state',
    {role: 'alert'},
    make('h1', {}, title),
    make('p', {}, text),
    step ? make('p.soft', {}, step) : null,
    act,
  )
}

function keys(event) {
  const writing = event.target.closest?.('input, textarea, select')
  if (event.key === '/' && !writing && !event.ctrlKey && !event.metaKey) document.getElementById('search').focus()
  else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !writing)
    undoLast()
  else return
  event.preventDefault()
}

keep(show)
start()

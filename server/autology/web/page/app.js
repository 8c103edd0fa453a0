// The page: authentication, routing by the address, and the elements that all views share.

import {fill, make} from '/picture/elements.js'
import {call, authenticate} from './api.js'
import {onUndo, undoLast} from './undo.js'
import {edit, create} from './editor.js'
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
const header = document.getElementById('top')
const LOADING_DELAY = 180 // milliseconds before a view shows that it is loading

const VIEWS = {
  '': graph,
  node: reader,
  edit,
  new: create,
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
let lastNavigation = 0

async function start() {
  try {
    if (!(await authenticate()))
      throw new Error('Open this page with the address that `autology web` prints in the terminal.')
    const project = await call('overview')
    document.title = `${project.name} — Autology`
    fill(header, ...headerBar(project.name))
    header.hidden = false
    addEventListener('hashchange', showView)
    addEventListener('keydown', onKeydown)
    await showView()
  } catch (error) {
    fill(
      view,
      message(
        'Cannot open this page',
        error.message,
        'Run autology web again and open the address it prints; it works once.',
      ),
    )
  }
}

function headerBar(name) {
  const field = make('input', {
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
        if (field.value.trim()) location.hash = `#/search/${encodeURIComponent(field.value.trim())}`
      },
    },
    field,
  )
  return [
    make('a.home', {href: '#/', title: name}, name),
    make(
      'nav',
      {'aria-label': 'Views'},
      TABS.map(([path, label]) => make('a', {href: `#/${path}`, 'data-tab': path}, label)),
    ),
    form,
    make('a.button', {href: '#/new'}, 'New note'),
  ]
}

async function showView() {
  const [viewName = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decode)
  const navigation = ++lastNavigation
  if (viewName !== 'search') document.getElementById('search').value = ''
  for (const tab of header.querySelectorAll('[data-tab]')) {
    const isCurrent = tab.dataset.tab === viewName || (viewName === 'session' && tab.dataset.tab === 'sessions')
    isCurrent ? tab.setAttribute('aria-current', 'page') : tab.removeAttribute('aria-current')
  }
  const loadingTimer = setTimeout(() => {
    if (navigation === lastNavigation) fill(view, make('p.state', {'aria-busy': 'true'}, 'Loading…'))
  }, LOADING_DELAY)
  try {
    const element = await (VIEWS[viewName] ?? unknownView)(...rest)
    clearTimeout(loadingTimer)
    if (navigation !== lastNavigation) return
    fill(view, element)
    view.dataset.view = viewName
    if (viewName) view.scrollTop = 0
    element.onShown?.()
    if (document.activeElement === document.body) view.focus({preventScroll: true})
  } catch (error) {
    clearTimeout(loadingTimer)
    if (navigation !== lastNavigation) return
    fill(
      view,
      message(
        'Cannot load this view',
        error.message,
        '',
        make('button', {type: 'button', onclick: showView}, 'Try again'),
      ),
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

async function unknownView() {
  return message(
    'Unknown view',
    'This address does not lead to a view.',
    '',
    make('a.button', {href: '#/'}, 'Go to the graph'),
  )
}

function message(title, text, nextStep = '', button = null) {
  return make(
    'section.state',
    {role: 'alert'},
    make('h1', {}, title),
    make('p', {}, text),
    nextStep ? make('p.soft', {}, nextStep) : null,
    button,
  )
}

function onKeydown(event) {
  const isTyping = event.target.closest?.('input, textarea, select')
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) document.getElementById('search').focus()
  else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !isTyping)
    undoLast()
  else return
  event.preventDefault()
}

onUndo(showView)
start()

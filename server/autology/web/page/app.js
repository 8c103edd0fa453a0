// The page: authentication, routing by the address, and the elements that all views share.

import {fill, make, withCode} from '/picture/elements.js'
import {currentAddress, rememberScroll, replaceAddress} from './address.js'
import {call, authenticate} from './api.js'
import {onUndo, markChanged, undoLast} from './undo.js'
import {edit, create} from './editor.js'
import {addToFeed, feedButton} from './feed.js'
import {setRoot} from './files.js'
import {health} from './health.js'
import {listen} from './live.js'
import {memories} from './memory.js'
import {merge} from './merge.js'
import {mined} from './mined.js'
import {session, sessions} from './past.js'
import {graph} from './picture.js'
import {refresh} from './refresh.js'
import {reader, readerByAddress} from './reader.js'
import {search} from './search.js'
import {openSwitcher} from './switcher.js'
import {timeline} from './timeline.js'
import {setProjectName, showTitle} from './title.js'
import {trash} from './trash.js'

const view = document.getElementById('view')
const header = document.getElementById('top')
const scroll = rememberScroll(view)
const LOADING_DELAY = 180 // milliseconds before a view shows that it is loading

const VIEWS = {
  '': graph,
  node: reader,
  note: readerByAddress,
  edit,
  new: create,
  merge,
  search,
  timeline,
  sessions,
  session,
  memory: memories,
  mined,
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
const TITLES = {search: 'Search', new: 'New note', edit: 'Edit', merge: 'Merge', mined: 'Settled', session: 'Conversation'}
// The kinds of changes that a view shows; the other views show all of notes.
const TALK = ['session', 'continued']
const NARROW = matchMedia('(max-width: 44rem)')
const MEMORY = ['remembered', 'forgotten']
const SHOWN_CHANGES = {sessions: TALK, session: [...TALK, 'created', 'deleted'], memory: MEMORY}
let lastNavigation = 0

async function start() {
  try {
    if (!(await authenticate()))
      throw new Error('Open this page with the address that `autology web` prints in the terminal.')
    const project = await call('overview')
    setProjectName(project.name)
    setRoot(project.root)
    fill(header, ...headerBar(project.name))
    header.hidden = false
    addEventListener('hashchange', showView)
    addEventListener('keydown', onKeydown)
    listen(onChanges, showConnection)
    await showView()
  } catch (error) {
    fill(
      view,
      message(
        'Cannot open this page',
        error.message,
        'Run `autology web` again and open the address it prints; it works once.',
      ),
    )
  }
}

function headerBar(name) {
  const field = make('input', {
    type: 'search',
    id: 'search',
    'aria-label': 'Search everything',
    'aria-keyshortcuts': '/',
  })
  const describe = () => (field.placeholder = NARROW.matches ? `Search ${name}` : 'Search everything')
  NARROW.addEventListener('change', describe)
  describe()
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
    make(
      'button.switch',
      {type: 'button', title: 'Go to anything (Ctrl+K)', 'aria-keyshortcuts': 'Control+k', onclick: openSwitcher},
      'Go to… ',
      make('kbd', {}, 'Ctrl K'),
    ),
    feedButton(),
    make('a.button', {href: '#/new', 'aria-label': 'New note'}, 'New', make('span.wide', {}, ' note')),
  ]
}

async function showView() {
  const {view: viewName, parts} = currentAddress()
  const navigation = ++lastNavigation
  scroll.pause()
  if (viewName !== 'search') document.getElementById('search').value = ''
  for (const tab of header.querySelectorAll('[data-tab]')) {
    const isCurrent = tab.dataset.tab === viewName || (['session', 'mined'].includes(viewName) && tab.dataset.tab === 'sessions')
    isCurrent ? tab.setAttribute('aria-current', 'page') : tab.removeAttribute('aria-current')
    if (isCurrent) tab.scrollIntoView({block: 'nearest', inline: 'center'})
  }
  const loadingTimer = setTimeout(() => {
    if (navigation === lastNavigation) fill(view, make('p.state', {'aria-busy': 'true'}, 'Loading…'))
  }, LOADING_DELAY)
  try {
    const element = await (VIEWS[viewName] ?? unknownView)(...parts)
    clearTimeout(loadingTimer)
    if (navigation !== lastNavigation) return
    fill(view, element)
    view.dataset.view = viewName
    if (element.address) replaceAddress(element.address)
    showTitle(titleOf(viewName, element))
    scroll.restore()
    element.onShown?.()
    if (document.activeElement === document.body) view.focus({preventScroll: true})
  } catch (error) {
    clearTimeout(loadingTimer)
    if (navigation !== lastNavigation) return
    fill(view, failure(error))
    if (!error.kind) throw error
  }
}

/** Return the title of the window that shows *element*. */
function titleOf(viewName, element) {
  const tab = TABS.find(([path]) => path === viewName)?.[1]
  return element.pageTitle ?? tab ?? TITLES[viewName] ?? element.querySelector?.('h1')?.textContent
}

/** Show what changed elsewhere: in the feed, and in the view without moving what the reader looks at. */
function onChanges(events) {
  markChanged()
  addToFeed(events)
  const {view: viewName, parts} = currentAddress()
  const isShown = (event) =>
    event.kind === 'many' ||
    (SHOWN_CHANGES[viewName]?.includes(event.kind) ?? !(TALK.includes(event.kind) || MEMORY.includes(event.kind)))
  const changes = events.filter(isShown)
  if (!changes.length) return
  const navigation = lastNavigation
  const render = VIEWS[viewName]
  if (render) refresh(view, changes, () => render(...parts), () => navigation === lastNavigation)
}

function showConnection(isConnected) {
  let notice = document.getElementById('connection')
  if (isConnected) notice?.remove()
  else if (!notice) {
    notice = make(
      'p.connection',
      {id: 'connection', role: 'alert'},
      'The server has stopped because its terminal was closed. Your text is safe in this tab. Run autology web again.',
    )
    header.after(notice)
  }
}

/** Return what is shown instead of a view that cannot be loaded. */
function failure(error) {
  if (error.kind?.endsWith('NotFoundError'))
    return message(
      'Not found',
      'It may have been deleted or renamed. Look in the trash, or search for it.',
      '',
      make('a.button', {href: '#/trash'}, 'Open the trash'),
      make('a.button', {href: '#/search/'}, 'Search'),
    )
  if (error.kind === 'Refused')
    return message('Not possible here', error.message, '', make('button', {type: 'button', onclick: () => history.back()}, 'Go back'))
  return message('Cannot load this view', error.message, '', make('button', {type: 'button', onclick: showView}, 'Try again'))
}

async function unknownView() {
  return message(
    'Page not found',
    'Nothing is at this address.',
    '',
    make('a.button', {href: '#/'}, 'Go to the graph'),
  )
}

function message(title, text, nextStep = '', ...buttons) {
  return make(
    'section.state',
    {role: 'alert'},
    make('h1', {}, title),
    make('p', {}, withCode(text)),
    nextStep ? make('p.soft', {}, withCode(nextStep)) : null,
    make('p.row', {}, buttons),
  )
}

function onKeydown(event) {
  const isTyping = event.target.closest?.('input, textarea, select')
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) openSwitcher()
  else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) document.getElementById('search').focus()
  else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !isTyping)
    undoLast()
  else return
  event.preventDefault()
}

onUndo(showView)
start()

// The feed: what changed while the page is open, with a button that undoes each change.

import {fill, formatDate, make} from '/picture/elements.js'
import {call} from './api.js'
import {nodeHref, relationLabel} from './nodes.js'
import {whenReleased} from './pointer.js'
import {change, notify, notifyQuietly, undo} from './undo.js'

const MAX_ENTRIES = 100
const entries = []
let unseen = 0
let earlier = []
const items = new WeakMap() // of the entries
const ownSteps = new Set() // that undid an entry here: the entry itself says so
const nothing = make('li.soft', {}, 'Nothing has changed since you opened the page.')

const list = make('ol.plain')
const earlierList = make('ol.plain')
const earlierSection = make('section', {hidden: true}, make('h3', {}, 'Earlier this week'), earlierList)
const panel = make(
  'section.feed',
  {id: 'feed', hidden: true, 'aria-label': 'Recent changes'},
  make(
    'header',
    {},
    make('h2', {}, 'Recent changes'),
    make('button.small', {type: 'button', 'aria-label': 'Close recent changes', onclick: () => toggle(false)}, '×'),
  ),
  list,
  earlierSection,
)
const count = make('small', {})
const button = make(
  'button.feed-toggle',
  {
    type: 'button',
    'aria-expanded': 'false',
    'aria-controls': 'feed',
    title: 'What changed while the page is open; the number counts what others did',
    onclick: () => toggle(panel.hidden),
  },
  'Changes ',
  count,
)

/** Return the button that opens the feed; the feed itself is added to the page. */
export function feedButton() {
  document.body.append(panel)
  panel.addEventListener('click', (event) => {
    if (event.target.closest('a')) toggle(false) // it would cover the note that opens
  })
  addEventListener('hashchange', ({oldURL, newURL}) => {
    if (oldURL !== newURL && !panel.hidden) close() // another view opened; a reloaded one has the same address
  })
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') toggle(false)
  })
  render()
  return button
}

/** Add the changes that the server reported. */
export function addToFeed(events) {
  const shown = events.filter((event) => !event.quiet && !ownSteps.has(stepOf(event)))
  if (!shown.length) return
  entries.unshift(...shown.map((event) => ({...event, at: new Date()})).reverse())
  entries.length = Math.min(entries.length, MAX_ENTRIES)
  const others = shown.filter((event) => event.by !== 'page')
  if (panel.hidden) unseen += others.filter((event) => !isListed(event)).length
  render()
  if (others.length) notifyQuietly(sentence(others.at(-1)), undoOf(others.at(-1)))
}

/** Return whether the opened feed listed the note as an earlier one before the server reported it. */
function isListed(event) {
  return event.kind === 'created' && earlier.some((entry) => entry.id === event.id)
}

function toggle(isOpen) {
  if (!isOpen) {
    close()
    button.focus()
    return
  }
  panel.hidden = false
  button.setAttribute('aria-expanded', 'true')
  unseen = 0
  loadEarlier()
  render()
  panel.querySelector('button').focus()
}

function close() {
  panel.hidden = true
  button.setAttribute('aria-expanded', 'false')
}

/** Load the notes of the last seven days: what was written before the page was opened. */
async function loadEarlier() {
  try {
    const {notes} = await call('recent', {days: 7})
    earlier = notes.map((note) => ({...note, at: new Date(note.modified), isEarlier: true}))
    render()
  } catch {
    // the list of what changed since is shown without it
  }
}

function render() {
  count.textContent = unseen ? String(unseen) : ''
  button.classList.toggle('has-news', unseen > 0)
  whenReleased(renderLists)
}

function renderLists() {
  const shownIds = new Set(entries.map((entry) => entry.id))
  const notShown = earlier.filter((entry) => !shownIds.has(entry.id))
  earlierSection.hidden = !notShown.length
  show(earlierList, notShown.map(itemOf))
  show(list, entries.length ? entries.map(itemOf) : [nothing])
}

/** Show items in the list *target*. Shown ones stay in place: one that is replaced between press and release of a
 * button loses the click. */
function show(target, shown) {
  const isSame = shown.length === target.children.length && shown.every((item, at) => item === target.children[at])
  if (!isSame) fill(target, shown)
}

function itemOf(entry) {
  if (!items.has(entry)) items.set(entry, entryItem(entry))
  return items.get(entry)
}

function entryItem(entry) {
  const undo = undoOf(entry)
  return make(
    'li',
    {},
    make(
      'time',
      {dateTime: entry.at.toISOString()},
      entry.isEarlier ? formatDate(entry.modified) : entry.at.toLocaleTimeString(undefined, {timeStyle: 'short'}),
    ),
    entry.id && !['deleted', 'forgotten'].includes(entry.kind)
      ? make('a', {href: hrefOf(entry)}, sentence(entry))
      : make('span', {}, sentence(entry)),
    entry.isUndone
      ? make('span.soft', {}, 'Undone')
      : undo
        ? make('button.small', {type: 'button', onclick: undo, 'aria-label': `Undo: ${sentence(entry)}`}, 'Undo')
        : null,
  )
}

/** Return the number of the step of this page that an event reports, 0 if it is none. */
function stepOf({by, undo}) {
  return by === 'page' && undo?.call === 'undo' ? undo.arguments.step : 0
}

function hrefOf({kind, id, title}) {
  if (kind === 'session') return `#/session/${encodeURIComponent(id)}`
  return nodeHref(id, ['created', 'changed', 'linked', 'unlinked'].includes(kind) ? title : '')
}

function undoOf(entry) {
  if (!entry.undo) return null
  return async () => {
    const {call: name, arguments: args} = entry.undo
    const hadFocus = panel.contains(document.activeElement)
    const step = name === 'undo' ? await undo(args.step) : await reverse(name, args)
    entry.isUndone = step > 0
    if (step) ownSteps.add(step)
    for (let at = entries.length - 1; at >= 0; at--)
      if (ownSteps.has(stepOf(entries[at]))) entries.splice(at, 1) // the server was faster
    items.delete(entry)
    render()
    if (hadFocus) panel.querySelector('button').focus()
  }
}

async function reverse(name, args) {
  try {
    return (await change(name, args, true)).undo ?? 0
  } catch (error) {
    notify(error.message, 0, true)
    return 0
  }
}

/** Return an event as a sentence. */
function sentence({kind, title, by, relation, target_title: target}) {
  const claude = by === 'claude'
  switch (kind) {
    case 'created':
      return claude ? `Claude captured “${title}”` : `New note: “${title}”`
    case 'changed':
      return `Changed elsewhere: “${title}”`
    case 'deleted':
      return `Deleted elsewhere: “${title}”`
    case 'linked':
      return `Linked “${title}” ${relationLabel(relation, true)} “${target}”`
    case 'unlinked':
      return `Link removed: “${title}” ${relationLabel(relation, true)} “${target}”`
    case 'remembered':
      return claude ? `Claude remembered “${title}”` : `New memory: “${title}”`
    case 'forgotten':
      return `Memory removed: “${title}”`
    case 'session':
      return title ? `New conversation: “${title}”` : 'New conversation'
    case 'undone':
      return `Undone: ${title}`
    default:
      return title
  }
}

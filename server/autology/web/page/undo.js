// Changes made on this page: each shows a notification with an Undo button.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'

const TOAST_DURATION = 10000 // milliseconds
const TOLD_ON_THE_WAY = 1000 // milliseconds before another view opens in which what was told is told about it
const notifications = document.getElementById('notifications')
const undoSteps = []
const suggestionsById = new Map()
let reloadView = () => {}
let hideTimer = 0
let shownAt = 0
let changeCount = 0

// What was told about a view ends with it, unless it offers a way back. A view that is reloaded has one address.
addEventListener('hashchange', ({oldURL, newURL}) => {
  if (oldURL === newURL || notifications.querySelector('button')) return
  if (performance.now() - shownAt > TOLD_ON_THE_WAY) fill(notifications)
})

/** Set the function that reloads the view after an undo. */
export function onUndo(reload) {
  reloadView = reload
}

/** Return the number of changes so far; data read at an earlier version is stale. */
export function changeVersion() {
  return changeCount
}

/** Keep the suggestions that came with a new node until the reader shows it. */
export function keepSuggestions(reply) {
  suggestionsById.set(reply.id, reply)
}

/** Return the suggestions for a node: missing sections, relations, possible duplicates. */
export function suggestionsFor(id) {
  return suggestionsById.get(id)
}

/** Make a change and show a notification; return the server's reply. One that *takesBack* another offers to redo it. */
export async function change(name, args, takesBack = false) {
  const reply = await call(name, args)
  changeCount++
  if (reply.undo) {
    undoSteps.push(reply.undo)
    notify(reply.about, reply.undo, false, takesBack ? 'Redo' : 'Undo')
  } else notify('Already up to date: nothing was changed')
  return reply
}

/** Undo the last change. */
export function undoLast() {
  if (undoSteps.length) undo(undoSteps.at(-1))
  else notify('Nothing to undo')
}

/** Record that the project changed, by whomever: data read before is stale. */
export function markChanged() {
  changeCount++
}

/** Show what changed elsewhere, unless another notification is shown; *undoChange* undoes it. */
export function notifyQuietly(text, undoChange = null) {
  const shown = notifications.firstElementChild
  if (shown && !shown.classList.contains('quiet')) return
  show(make('p.toast.quiet', {}, make('span', {}, text), undoChange ? undoButton(undoChange) : null))
}

/** Show a notification for a while, with a button if there is a *step* to undo: its number, or what undoes it. A button
 * that redoes stands elsewhere than the one that undoes: nobody presses it by a second click. */
export function notify(text, step = 0, isError = false, label = 'Undo') {
  const isCallback = typeof step === 'function'
  const button = step ? undoButton(isCallback ? step : () => undo(step), !isCallback, label) : null
  const parts = [make('span', {}, text), button]
  show(make(isError ? 'p.toast.bad' : 'p.toast', {}, label === 'Redo' ? parts.reverse() : parts))
}

function undoButton(onclick, isLast = false, label = 'Undo') {
  return make('button', {type: 'button', 'aria-keyshortcuts': isLast ? 'Control+z' : null, onclick}, label)
}

function show(toast) {
  clearTimeout(hideTimer)
  shownAt = performance.now()
  fill(notifications, toast)
  hideTimer = setTimeout(() => fill(notifications), TOAST_DURATION)
}

/** Undo a step; return the step that undoes this, 0 if it was not possible. */
export async function undo(step) {
  fill(notifications) // its button undoes a step once, however often it is pressed
  try {
    const reply = await call('undo', {step})
    changeCount++
    if (undoSteps.includes(step)) undoSteps.splice(undoSteps.indexOf(step), 1)
    if (reply.reverts) notify(`Undone: ${reply.about}`, reply.undo, false, 'Redo')
    else notify(`Redone: ${reply.about}`, reply.undo)
    reloadView()
    return reply.undo
  } catch (error) {
    notify(error.message, 0, true)
    return 0
  }
}

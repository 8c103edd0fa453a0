// What was changed on this page: said at once, and taken back by one press.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'

const SHOWN = 12000 // milliseconds
const told = document.getElementById('told')
const steps = []
const offers = new Map()
let again = () => {}
let leaving = 0
let seen = 0

/** Let *show* show the view again after something was taken back. */
export function keep(show) {
  again = show
}

/** How often something was changed; what was read before is stale. */
export function version() {
  return seen
}

/** Keep what a new node may want next, for whoever shows it. */
export function offer(done) {
  offers.set(done.id, done)
}

/** Return what the node of that id may want next: sections, relations, a look at what says the same. */
export function offered(id) {
  return offers.get(id)
}

/** Make a change and say what it did; return what the server answers. */
export async function change(name, given) {
  const done = await call(name, given)
  seen++
  if (done.undo) {
    steps.push(done.undo)
    say(done.about, done.undo)
  } else say('Already up to date: nothing was changed')
  return done
}

/** Take the last step back. */
export function undoLast() {
  if (steps.length) takeBack(steps.at(-1))
  else say('Nothing to undo')
}

/** Say something for a while. */
export function say(text, step = 0, bad = false) {
  clearTimeout(leaving)
  const undo = step
    ? make('button', {type: 'button', 'aria-keyshortcuts': 'Control+z', onclick: () => takeBack(step)}, 'Undo')
    : null
  fill(told, make(bad ? 'p.toast.bad' : 'p.toast', {}, make('span', {}, text), undo))
  leaving = setTimeout(() => fill(told), SHOWN)
}

async function takeBack(step) {
  try {
    const done = await call('undo', {step})
    seen++
    steps.splice(steps.indexOf(step), 1)
    say(`Undone: ${done.about}`, done.undo)
    again()
  } catch (error) {
    say(error.message, 0, true)
  }
}

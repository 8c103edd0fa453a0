// Showing a view again after something changed elsewhere, without moving what the reader looks at or types.

import {fill} from '/picture/elements.js'
import {isPointerPressed} from './pointer.js'

const FORMS = 'form.editor, .merge, .mined .field'
const RETRY = 700 // milliseconds until a reader who types or marks text is looked at again
let timer = 0

/**
 * Render the view again with *render*, unless *isCurrent* says that the reader went on. A view with a method
 * `onChanged` updates itself; one that says what it was `renderedFrom` is replaced only if that changed.
 */
export async function refresh(view, events, render, isCurrent) {
  clearTimeout(timer)
  const shown = view.firstElementChild
  if (shown?.onChanged) {
    shown.onChanged(events)
    return
  }
  if (!isCurrent() || view.querySelector(FORMS)) return
  if (isBusy(view)) {
    timer = setTimeout(() => refresh(view, events, render, isCurrent), RETRY)
    return
  }
  let element
  try {
    element = await render()
  } catch {
    return // it was deleted; the feed says so
  }
  if (!isCurrent() || element === shown || (shown && isSame(element, shown))) return
  if (isBusy(view)) {
    timer = setTimeout(() => refresh(view, events, render, isCurrent), RETRY)
    return
  }
  const focusPath = pathOf(view, document.activeElement)
  const focused = focusPath && {path: focusPath, label: nameOf(document.activeElement)}
  const scrolled = [view, ...view.querySelectorAll('*')]
    .filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [pathOf(view, one), one.scrollTop, one.scrollLeft])
  const opened = [...view.querySelectorAll('details[open] > summary')].map((summary) => summary.textContent)
  fill(view, element)
  for (const summary of view.querySelectorAll('details > summary'))
    if (opened.includes(summary.textContent)) summary.parentElement.open = true
  for (const [path, top, left] of scrolled) {
    const one = path && elementAt(view, path)
    if (one) Object.assign(one, {scrollTop: top, scrollLeft: left})
  }
  if (focused) refocus(view, focused)
}

/** Whether two elements show the same: by what they were rendered from, where parts of them are loaded later. */
function isSame(one, other) {
  return one.renderedFrom ? one.renderedFrom === other.renderedFrom : one.isEqualNode(other)
}

/** Whether the reader presses a button, types in the view, has marked text in it, or uses a list of choices. */
function isBusy(view) {
  if (isPointerPressed()) return true
  const active = document.activeElement
  if (view.contains(active) && active.matches('textarea, select, input:not([type=checkbox], [type=radio])')) return true
  const selection = getSelection()
  return !selection.isCollapsed && view.contains(selection.anchorNode)
}

function refocus(view, {path, label}) {
  const same = elementAt(view, path)
  const target =
    same && nameOf(same) === label
      ? same
      : [...view.querySelectorAll('a[href], button, summary, [tabindex]')].find((one) => nameOf(one) === label)
  target?.focus({preventScroll: true})
}

function nameOf(element) {
  return [element.tagName, element.getAttribute('aria-label'), element.getAttribute('href'), element.textContent].join('|')
}

/** Return the positions that lead from *root* to *element*, or null if it is elsewhere. */
function pathOf(root, element) {
  if (element === root) return []
  if (!root.contains(element) || element === document.body) return null
  return [...pathOf(root, element.parentElement), [...element.parentElement.children].indexOf(element)]
}

function elementAt(root, path) {
  return path.reduce((element, index) => element?.children[index], root)
}

// Elements made by hand: text is always text, so nothing in a document can become a part of the page.

/** Return an element: `make('a.button', {href: '#/'}, 'Open')`; handlers are given as `onclick` and the like. */
export function make(tag, given = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  const made = document.createElement(name)
  if (classes.length) made.className = classes.join(' ')
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (key in made && key !== 'list' && key !== 'role' && !key.startsWith('aria')) made[key] = value
    else made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false))
  return made
}

/** Put *children* in the place of what *parent* holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  )
  return parent
}

/** Return *many* with its word: "1 node", "3 nodes". */
export function counted(many, word, plural = `${word}s`) {
  return `${many.toLocaleString('en')} ${many === 1 ? word : plural}`
}

/** Return a stamp as a day people read, in their own order. */
export function day(stamp) {
  return stamp ? new Date(stamp).toLocaleDateString(undefined, {year: 'numeric', month: 'short', day: 'numeric'}) : ''
}

// Creates DOM elements without parsing HTML, so text from documents always stays text.

/** Create an element: `make('a.button', {href: '#/'}, 'Open')`; properties like `onclick` add event listeners. */
export function make(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  const element = document.createElement(name)
  if (classes.length) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (key in element && key !== 'list' && key !== 'role' && !key.startsWith('aria')) element[key] = value
    else element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** Replace the content of *parent* with *children*. */
export function fill(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  )
  return parent
}

/** Return *text* with what stands between backticks as code. */
export function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 ? make('code', {}, part) : part))
}

/** Return a count with its noun: "1 node", "3 nodes". */
export function pluralize(count, word, plural = `${word}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? word : plural}`
}

/** Return the date of a timestamp in the reader's locale; a null one is unknown. */
export function formatDate(stamp) {
  if (stamp === null) return 'undated'
  return stamp ? new Date(stamp).toLocaleDateString(undefined, {year: 'numeric', month: 'short', day: 'numeric'}) : ''
}

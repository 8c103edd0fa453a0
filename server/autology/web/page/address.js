// Addresses of the page: `#/view/part/part?filter=value`. The tab's history remembers where each entry was scrolled to.

const POSITIONS = 'autology-scroll'
const MAX_POSITIONS = 200

/** Return the view, the parts and the filters of the current address. */
export function currentAddress() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...parts] = path.split('/').map(decode)
  return {view, parts, filters: new URLSearchParams(query)}
}

/** Return the filters of the current address. */
export function filters() {
  return currentAddress().filters
}

/** Change filters in the address, without a step in the history; empty values are removed. */
export function setFilters(values) {
  const [path, query = ''] = location.hash.split('?')
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) value ? changed.set(name, value) : changed.delete(name)
  replaceAddress(String(changed) ? `${path || '#/'}?${changed}` : path || '#/')
}

/** Give the current entry of the history another address. */
export function replaceAddress(address) {
  if (address !== location.hash) history.replaceState(history.state, '', address)
}

/** Reload the current view. */
export function reloadView() {
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** Remember where *element* is scrolled to, for each entry of the tab's history. */
export function rememberScroll(element) {
  const positions = new Map(JSON.parse(sessionStorage.getItem(POSITIONS) ?? '[]'))
  let isLoading = false
  element.addEventListener(
    'scroll',
    () => {
      const key = history.state?.key
      if (!key || isLoading) return
      positions.delete(key)
      positions.set(key, element.scrollTop)
    },
    {passive: true},
  )
  addEventListener('pagehide', () =>
    sessionStorage.setItem(POSITIONS, JSON.stringify([...positions].slice(-MAX_POSITIONS))),
  )
  return {
    /** Ignore what scrolls until the view is shown. */
    pause() {
      isLoading = true
    },
    /** Scroll to where the current entry was; a new entry is at its top, and is marked from now on. */
    restore() {
      const key = history.state?.key
      if (!key) history.replaceState({key: crypto.randomUUID()}, '')
      element.scrollTop = positions.get(key) ?? 0
      requestAnimationFrame(() => (isLoading = false)) // after the scroll events that this and the new content caused
    },
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

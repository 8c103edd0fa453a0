// The graph view, cached until something changes; its filters, its grouping and the selected note are in the address.

import {make, withCode} from '/picture/elements.js'
import {explorer} from '/picture/explorer.js'
import {filters, replaceAddress} from './address.js'
import {call} from './api.js'
import {changeVersion} from './undo.js'
import {nodeHref} from './nodes.js'

const PAUSE = 300 // milliseconds between changes of the address; browsers ignore more than some twenty a second

let cached = null
let cachedVersion = -1
let latest = null // what the address does not show yet
let timer = 0

export async function graph(selectedId) {
  const isNew = !cached || cachedVersion !== changeVersion()
  if (isNew) {
    const requestedVersion = changeVersion()
    const data = await load(filters().get('similar') ?? '')
    if (!data.nodes.length)
      return make(
        'section.state',
        {},
        make('h1', {}, 'No notes yet'),
        make('p', {}, withCode('Write the first note here, or let `autology init` find the decision records that this project has.')),
        make('a.button.primary', {href: '#/new'}, 'New note'),
      )
    cached = explorer(data, {
      hrefOf: ({id, title, type}) => nodeHref(id, type === 'document' ? '' : title),
      parameters: filters(),
      onChange: showInAddress,
      loadSimilar: () => load('1'),
      previous: cached,
    })
    cached.element.classList.add('whole')
    for (const kind of ['click', 'dblclick', 'keydown']) cached.element.addEventListener(kind, writeBeforeLeaving, true)
    cachedVersion = requestedVersion
    if (data.waiting) compareRest(cached)
  }
  const shown = cached
  shown.element.pageTitle = 'Graph'
  shown.element.onShown = () => shown.apply(filters(), selectedId)
  globalThis.picture = shown // for debugging in the console
  if (!shown.element.querySelector('h1')) shown.element.prepend(make('h1.unseen', {}, 'Graph'))
  return shown.element
}

function load(similar) {
  return call('graph', {similar})
}

/** Have the texts compared that were not yet when *shown* was loaded, and show what is similar among them. */
async function compareRest(shown) {
  const {left} = await call('compare').catch(() => ({left: 1})) // the next load tries again
  if (!left) await shown.readSimilar().catch(() => {})
}

/** Keep what is shown in the address, for Back and bookmarks. */
function showInAddress(...shown) {
  latest = shown
  if (timer) return
  write()
  timer = setTimeout(() => {
    timer = 0
    if (latest) write()
  }, PAUSE)
}

function writeBeforeLeaving(event) {
  if (latest && (event.type !== 'keydown' || event.key === 'Enter')) write()
}

/** Write what is shown, unless another view has the address by now. */
function write() {
  const [parameters, id] = latest
  latest = null
  const [path] = location.hash.split('?')
  if (!/^#?\/?$|^#\/\/[^/]*$/.test(path)) return
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value))
  replaceAddress(`#/${id ? `/${encodeURIComponent(id)}` : ''}${query.size ? `?${query}` : ''}`)
}

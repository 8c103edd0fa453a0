// Images and files of the project, as a text names them: images are shown, files open in the reader's editor.

import {make} from '/picture/elements.js'
import {call} from './api.js'

const KEY = 'autology-editor'
const EDITORS = [
  ['vscode', 'VS Code', (path) => `vscode://file${path}`],
  ['cursor', 'Cursor', (path) => `cursor://file${path}`],
  ['zed', 'Zed', (path) => `zed://file${path}`],
  ['idea', 'JetBrains', (path) => `idea://open?file=${path}`],
]
const RECENT = 5000 // milliseconds for which an image is shown again without being asked for, as previews do
const recentImages = new Map()
let root = ''

/** Set the project's folder. */
export function setRoot(folder) {
  root = folder
}

/** Return an image of the project; *paths* are where it may be. Until it is loaded, and if it is missing, its label. */
export function projectImage(paths, label) {
  const element = make('span.image.soft', {}, `Image: ${label}`)
  load()
  return element

  async function load() {
    try {
      const {type, data} = await imageAt(paths)
      if (type) element.replaceChildren(make('img', {src: `data:${type};base64,${data}`, alt: label, loading: 'lazy'}))
      else element.textContent = `Image not available: ${label}`
    } catch {
      element.textContent = `Image not available: ${label}`
    }
  }
}

function imageAt(paths) {
  const key = paths.join('\n')
  const now = Date.now()
  for (const [other, {at}] of recentImages) if (now - at > RECENT) recentImages.delete(other)
  if (!recentImages.has(key)) recentImages.set(key, {at: now, image: call('image', {paths})})
  return recentImages.get(key).image
}

/** Return where a text in the file at *path* may mean *target* to be: beside it, or from the project's folder. */
export function candidates(path, target) {
  const clean = linkTarget(target)
  const beside = clean.startsWith('/') ? [] : path.split('/').slice(0, -1)
  return [...new Set([normal([...beside, ...clean.split('/')]), normal(clean.split('/'))])].filter(Boolean)
}

/** Return the path that a link names, without its fragment. */
export function linkTarget(target) {
  return decode(target.split(/[?#]/)[0])
}

/** Return a link that opens the file at *path* in the reader's editor; the server starts nothing. */
export function fileLink(path, label = make('code', {}, path)) {
  const [, file, line] = /^(.*?)(?::(\d+))?$/.exec(path)
  const folder = root.replaceAll('\\', '/')
  const full = `${folder.startsWith('/') ? '' : '/'}${folder}/${file}`.split('/').map(encodeURIComponent).join('/')
  const [, name, address] = EDITORS.find(([key]) => key === editor()) ?? EDITORS[0]
  return make(
    'a',
    {href: address(full.replace(/^\/([A-Za-z])%3A/, '/$1:') + (line ? `:${line}` : '')), title: `Open in ${name}`},
    label,
  )
}

/** Return the choice of the editor that files open in. */
export function editorChoice(onChange) {
  return make(
    'select',
    {
      'aria-label': 'Open files in',
      onchange: (event) => {
        localStorage.setItem(KEY, event.target.value)
        onChange()
      },
    },
    EDITORS.map(([key, name]) => make('option', {value: key, selected: key === editor()}, `Open files in ${name}`)),
  )
}

function editor() {
  return localStorage.getItem(KEY) ?? EDITORS[0][0]
}

function normal(parts) {
  const result = []
  for (const part of parts) {
    if (part === '..') {
      if (!result.length) return ''
      result.pop()
    } else if (part && part !== '.') result.push(part)
  }
  return result.join('/')
}

function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

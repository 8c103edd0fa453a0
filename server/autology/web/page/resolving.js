// What the links, images and files that a text names lead to on the page.

import {make} from '/picture/elements.js'
import {candidates, fileLink, linkTarget, projectImage} from './files.js'
import {nodeHref} from './nodes.js'

/** Return what resolves the links, images and files of the text in the file at *path*, for rendering it. */
export function resolver(path, targets = {notes: {}, files: {}}) {
  const [notes, files] = [targets.notes, targets.files].map((one) => new Map(Object.entries(one)))
  const resolve = (target) => nodeHref(notes.get(linkTarget(target)) ?? target)
  resolve.image = (target, label) => projectImage(candidates(path, target), label)
  resolve.file = (target, label) => {
    const [, written, line = ''] = /^(.*?)(:\d+)?$/s.exec(linkTarget(target))
    const name = [written, written.replace(/^(\.?\/)+/, '')].find((one) => notes.has(one) || files.has(one))
    if (notes.has(name)) return make('a', {href: nodeHref(notes.get(name))}, label)
    const file = files.get(name)
    return file ? fileLink(file + line, label) : null
  }
  return resolve
}

/** Return a document's text without its frontmatter. */
export function withoutFrontmatter(content) {
  return content.replace(/^---\n[\s\S]*?\n---\n/, '')
}

/** Return a text without a first heading that repeats the title. */
export function bodyText(content, title) {
  const text = content.trimStart()
  const [firstLine] = text.split('\n', 1)
  const heading = /^#\s+(.*?)\s*#*$/.exec(firstLine)
  return heading?.[1] === title ? text.slice(firstLine.length) : text
}

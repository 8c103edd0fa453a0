// Renders markdown as elements. A document can only produce text, links and images of the project, never scripts.

import {make} from '/picture/elements.js'

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const TASK = /^\[([ xX])\]\s+/
const MAX_DEPTH = 12 // nested quotes and lists

/**
 * Return the elements of *text*; *resolveLink* turns a link's target into an address of this page, or null. Its function
 * `image`, if any, returns the element of an image of the project, and `file` that of a link to one of its files, or null.
 */
export function renderMarkdown(text, resolveLink = () => null) {
  return make('div.prose', {}, blocks(text.replaceAll('\r\n', '\n').split('\n'), resolveLink, 0))
}

function blocks(lines, resolveLink, depth) {
  const elements = []
  const outline = [] // the levels of the headings above, so that none is skipped
  let index = 0
  while (index < lines.length) {
    const line = lines[index]
    const fence = FENCE.exec(line)
    const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    let next
    if (!line.trim()) next = index + 1
    else if (fence) next = code(lines, index, fence, elements)
    else if (heading) {
      const level = heading[1].length
      while (outline.at(-1) >= level) outline.pop()
      outline.push(level)
      elements.push(make(`h${Math.min(outline.length + 1, 6)}`, {}, spans(heading[2], resolveLink)))
      next = index + 1
    } else if (/^ {0,3}([-*_])\s*(\1\s*){2,}$/.test(line)) {
      elements.push(make('hr'))
      next = index + 1
    } else if (/^ {0,3}>/.test(line) && depth < MAX_DEPTH) next = quote(lines, index, elements, resolveLink, depth)
    else if (ITEM.test(line) && depth < MAX_DEPTH) next = list(lines, index, elements, resolveLink, depth)
    else if (line.includes('|') && /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/.test(lines[index + 1] ?? ''))
      next = table(lines, index, elements, resolveLink)
    else next = paragraph(lines, index, elements, resolveLink)
    index = next
  }
  return elements
}

function code(lines, start, fence, elements) {
  let end = start + 1
  while (end < lines.length && !lines[end].trimStart().startsWith(fence[1])) end++
  elements.push(make('pre', {tabIndex: 0}, make('code', {}, lines.slice(start + 1, end).join('\n'))))
  return end + 1
}

function quote(lines, start, elements, resolveLink, depth) {
  let end = start
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end++
  const inner = lines.slice(start, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
  elements.push(make('blockquote', {}, blocks(inner, resolveLink, depth + 1)))
  return end
}

function list(lines, start, elements, resolveLink, depth) {
  const [, indent, mark] = ITEM.exec(lines[start])
  const ordered = /\d/.test(mark)
  const items = []
  let end = start
  while (end < lines.length) {
    const item = ITEM.exec(lines[end])
    if (item && item[1].length <= indent.length + 1) {
      if (item[1].length < indent.length || /\d/.test(item[2]) !== ordered) break
      items.push([item[3]])
    } else if (!lines[end].trim()) {
      const after = lines[end + 1] ?? ''
      if (!after.trim() || !(ITEM.test(after) || /^\s{2,}/.test(after))) break
      items.at(-1).push('')
    } else if (/^\s{2,}/.test(lines[end])) items.at(-1).push(lines[end].replace(/^\s{2,4}/, ''))
    else if (FENCE.test(lines[end]) || /^ {0,3}(#|>)/.test(lines[end]) || !items.at(-1).at(-1)) break
    else items.at(-1).push(lines[end])
    end++
  }
  const firstNumber = ordered ? Number.parseInt(mark, 10) : undefined
  elements.push(
    make(
      ordered ? 'ol' : 'ul',
      {start: firstNumber},
      items.map((inner) => make(TASK.test(inner[0]) ? 'li.task' : 'li', {}, item(inner, resolveLink, depth))),
    ),
  )
  return Math.max(end, start + 1)
}

function item(inner, resolveLink, depth) {
  const task = TASK.exec(inner[0])
  const lines = task ? [inner[0].slice(task[0].length), ...inner.slice(1)] : inner
  const children = blocks(lines, resolveLink, depth + 1)
  const tight =
    children.length && children[0].tagName === 'P' ? [...children[0].childNodes, ...children.slice(1)] : children
  if (!task) return tight
  const isDone = task[1] !== ' '
  const box = make('input', {type: 'checkbox', checked: isDone, disabled: true, 'aria-label': isDone ? 'done' : 'to do'})
  return [box, ' ', tight]
}

function table(lines, start, elements, resolveLink) {
  const cells = (line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => spans(cell.trim().replaceAll('\\|', '|'), resolveLink))
  let end = start + 2
  while (end < lines.length && lines[end].includes('|')) end++
  const head = make(
    'tr',
    {},
    cells(lines[start]).map((cell) => make('th', {}, cell)),
  )
  const rows = lines.slice(start + 2, end).map((line) =>
    make(
      'tr',
      {},
      cells(line).map((cell) => make('td', {}, cell)),
    ),
  )
  elements.push(make('div.scroll', {tabIndex: 0}, make('table', {}, make('thead', {}, head), make('tbody', {}, rows))))
  return end
}

function paragraph(lines, start, elements, resolveLink) {
  let end = start
  const startsBlock = (line) =>
    !line.trim() || FENCE.test(line) || /^ {0,3}(#{1,6}\s|>)/.test(line) || (ITEM.test(line) && end > start)
  while (end < lines.length && !startsBlock(lines[end])) end++
  end = Math.max(end, start + 1)
  const parts = lines
    .slice(start, end)
    .flatMap((line, row) => [
      row ? (lines[start + row - 1].endsWith('  ') ? make('br') : '\n') : '',
      ...spans(line.trim(), resolveLink),
    ])
  elements.push(make('p', {}, parts))
  return end
}

const SPANS = new RegExp(
  [
    /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/, // 1, 2: code
    /!?\[\[([^\]|\n]{1,300})(?:\|([^\]\n]{1,300}))?\]\]/, // 3, 4: [[target|words]]
    /(!?)\[((?:[^\][]|\[[^\]]*\]){0,500})\]\(\s*<?((?:[^()\s>]|\([^()\s]{0,200}\)){1,2000})>?(?:\s+["'][^"')]*["'])?\s*\)/, // 5, 6, 7: [words](target)
    /<?(https?:\/\/[^\s<>)"'`\]]{1,2000}[^\s<>)"'`\].,;:!?])>?/, // 8
    /\*\*(\S(?:[^*]|\*(?!\*)){0,1000}?)\*\*/, // 9
    /(?<![\w*])\*(\S(?:[^*\n]){0,500}?)\*(?!\*)/, // 10
    /(?<!\w)_(\S[^_\n]{0,500}?)_(?!\w)/, // 11
    /~~(\S[^~\n]{0,500}?)~~/, // 12
    /\\([!-/:-@[-`{-~])/, // 13
    /<img\s((?:[^<>"']{0,200}"[^"<>]{0,2000}"){1,8}[^<>"']{0,200})>/, // 14: its attributes
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'g',
)

function spans(text, resolveLink) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(SPANS)) {
    parts.push(text.slice(end, match.index), span(match, resolveLink))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function span(match, resolveLink) {
  const [
    ,
    ,
    code,
    target,
    alias,
    image,
    label,
    url,
    bareUrl,
    strong,
    emphasis,
    underscoreEmphasis,
    strikethrough,
    escaped,
    attributes,
  ] = match
  if (code !== undefined) {
    const element = make('code', {}, code.trim() || code)
    return resolveLink.file?.(code.trim(), element) ?? element
  }
  if (target !== undefined) return internalLink(target.split('#')[0].trim() || target, alias ?? target, resolveLink)
  if (label !== undefined)
    return image
      ? ((isLocal(url) && resolveLink.image?.(url, label || url)) ?? make('span.soft', {}, `[image: ${label || url}]`))
      : linkTo(url, spans(label, resolveLink), resolveLink)
  if (bareUrl !== undefined) return linkTo(bareUrl, bareUrl, resolveLink)
  if (strong !== undefined) return make('strong', {}, spans(strong, resolveLink))
  if (emphasis !== undefined || underscoreEmphasis !== undefined)
    return make('em', {}, spans(emphasis ?? underscoreEmphasis, resolveLink))
  if (strikethrough !== undefined) return make('s', {}, spans(strikethrough, resolveLink))
  if (attributes !== undefined) return imageTag(attributes, match[0], resolveLink)
  return escaped
}

/** Return the image that an HTML tag shows, by its source and text alone; the tag itself if it is elsewhere. */
function imageTag(attributes, tag, resolveLink) {
  const value = (name) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`, 'i').exec(attributes)?.[1]
  const source = value('src')
  return (source && isLocal(source) && resolveLink.image?.(source, value('alt') || source)) ?? tag
}

function isLocal(url) {
  return !/^[a-z][a-z0-9+.-]*:/i.test(url) && !url.startsWith('//') ? true : null
}

function linkTo(url, label, resolveLink) {
  if (/^https?:\/\//i.test(url)) return make('a.out', {href: url, target: '_blank', rel: 'noopener noreferrer'}, label)
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith('#') || url.startsWith('//')) return make('span', {}, label)
  return resolveLink.file?.(url, label) ?? internalLink(url.split('#')[0], label, resolveLink)
}

function internalLink(target, label, resolveLink) {
  const href = resolveLink(target)
  return href ? make('a', {href}, label) : make('span', {}, label)
}

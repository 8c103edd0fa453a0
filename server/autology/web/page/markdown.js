// Markdown as elements: whatever stands in a document is text, a link inside the project, or a link that a person clicks.

import {make} from '/picture/elements.js'

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const DEEPEST = 12 // quotes and lists within each other

/** Return the elements of *text*; *link* makes an address of ours of a target, or null where it is none. */
export function rendered(text, link = () => null) {
  return make('div.prose', {}, blocks(text.replaceAll('\r\n', '\n').split('\n'), link, 0))
}

function blocks(lines, link, depth) {
  const found = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    const fence = FENCE.exec(line)
    const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    let next
    if (!line.trim()) next = at + 1
    else if (fence) next = code(lines, at, fence, found)
    else if (heading) {
      found.push(make(`h${Math.min(heading[1].length + 1, 6)}`, {}, spans(heading[2], link)))
      next = at + 1
    } else if (/^ {0,3}([-*_])\s*(\1\s*){2,}$/.test(line)) {
      found.push(make('hr'))
      next = at + 1
    } else if (/^ {0,3}>/.test(line) && depth < DEEPEST) next = quote(lines, at, found, link, depth)
    else if (ITEM.test(line) && depth < DEEPEST) next = list(lines, at, found, link, depth)
    else if (line.includes('|') && /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/.test(lines[at + 1] ?? ''))
      next = table(lines, at, found, link)
    else next = paragraph(lines, at, found, link)
    at = next
  }
  return found
}

function code(lines, at, fence, found) {
  let end = at + 1
  while (end < lines.length && !lines[end].trimStart().startsWith(fence[1])) end++
  found.push(make('pre', {tabIndex: 0}, make('code', {}, lines.slice(at + 1, end).join('\n'))))
  return end + 1
}

function quote(lines, at, found, link, depth) {
  let end = at
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end++
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
  found.push(make('blockquote', {}, blocks(inner, link, depth + 1)))
  return end
}

function list(lines, at, found, link, depth) {
  const [, indent, mark] = ITEM.exec(lines[at])
  const ordered = /\d/.test(mark)
  const items = []
  let end = at
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
  const start = ordered ? Number.parseInt(mark, 10) : undefined
  found.push(
    make(
      ordered ? 'ol' : 'ul',
      {start},
      items.map((inner) => make('li', {}, item(inner, link, depth))),
    ),
  )
  return Math.max(end, at + 1)
}

function item(inner, link, depth) {
  const task = /^\[([ xX])\]\s+/.exec(inner[0])
  const lines = task ? [inner[0].slice(task[0].length), ...inner.slice(1)] : inner
  const made = blocks(lines, link, depth + 1)
  const tight = made.length && made[0].tagName === 'P' ? [...made[0].childNodes, ...made.slice(1)] : made
  return task ? [task[1] === ' ' ? '☐ ' : '☑ ', tight] : tight
}

function table(lines, at, found, link) {
  const cells = (line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => spans(cell.trim().replaceAll('\\|', '|'), link))
  let end = at + 2
  while (end < lines.length && lines[end].includes('|')) end++
  const head = make(
    'tr',
    {},
    cells(lines[at]).map((cell) => make('th', {}, cell)),
  )
  const rows = lines.slice(at + 2, end).map((line) =>
    make(
      'tr',
      {},
      cells(line).map((cell) => make('td', {}, cell)),
    ),
  )
  found.push(make('div.scroll', {tabIndex: 0}, make('table', {}, make('thead', {}, head), make('tbody', {}, rows))))
  return end
}

function paragraph(lines, at, found, link) {
  let end = at
  const starts = (line) =>
    !line.trim() || FENCE.test(line) || /^ {0,3}(#{1,6}\s|>)/.test(line) || (ITEM.test(line) && end > at)
  while (end < lines.length && !starts(lines[end])) end++
  end = Math.max(end, at + 1)
  const parts = lines
    .slice(at, end)
    .flatMap((line, row) => [
      row ? (lines[at + row - 1].endsWith('  ') ? make('br') : '\n') : '',
      ...spans(line.trim(), link),
    ])
  found.push(make('p', {}, parts))
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
  ]
    .map((each) => each.source)
    .join('|'),
  'g',
)

function spans(text, link) {
  const found = []
  let last = 0
  for (const match of text.matchAll(SPANS)) {
    found.push(text.slice(last, match.index), span(match, link))
    last = match.index + match[0].length
  }
  return [...found, text.slice(last)]
}

function span(match, link) {
  const [, , code, target, alias, image, words, address, bare, strong, slanted, underscored, struck, escaped] = match
  if (code !== undefined) return make('code', {}, code.trim() || code)
  if (target !== undefined) return inside(target.split('#')[0].trim() || target, alias ?? target, link)
  if (words !== undefined)
    return image ? make('span.soft', {}, `[picture: ${words || address}]`) : linked(address, spans(words, link), link)
  if (bare !== undefined) return linked(bare, bare, link)
  if (strong !== undefined) return make('strong', {}, spans(strong, link))
  if (slanted !== undefined || underscored !== undefined) return make('em', {}, spans(slanted ?? underscored, link))
  if (struck !== undefined) return make('s', {}, spans(struck, link))
  return escaped
}

function linked(address, words, link) {
  if (/^https?:\/\//i.test(address))
    return make('a.out', {href: address, target: '_blank', rel: 'noopener noreferrer'}, words)
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('#') || address.startsWith('//'))
    return make('span', {}, words)
  return inside(address.split('#')[0], words, link)
}

function inside(target, words, link) {
  const href = link(target)
  return href ? make('a', {href}, words) : make('span', {}, words)
}

// Completion of wiki links: after `[[`, titles that match what follows are offered.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'

const LINE_GAP = 6 // pixels between the line with the caret and the list
const MIRRORED = ['font', 'lineHeight', 'padding', 'letterSpacing', 'tabSize']
const OPEN_LINK = /\[\[([^\[\]\n|]{0,100})$/

/** Offer titles while a wiki link is typed into *field*. */
export function completeLinks(field) {
  const list = make('ul.choices.completion', {role: 'listbox', hidden: true, 'aria-label': 'Notes to link to'})
  let titles = []
  let selected = 0
  let lastRequest = 0
  field.addEventListener('input', suggest)
  field.addEventListener('keydown', onKeydown)
  field.addEventListener('blur', close)
  field.setAttribute('aria-autocomplete', 'list')
  queueMicrotask(() => field.after(list))

  async function suggest() {
    const request = ++lastRequest
    const beginning = OPEN_LINK.exec(field.value.slice(0, field.selectionStart))?.[1]
    if (beginning === undefined) return close()
    const reply = await call('titles', {beginning})
    if (request !== lastRequest) return
    titles = reply.titles.map((node) => node.title)
    if (!titles.length) return close()
    fill(
      list,
      reply.titles.map((node, index) =>
        make(
          'li',
          {
            role: 'option',
            onpointerdown: (event) => {
              event.preventDefault()
              insert(index)
            },
          },
          make(`i.dot.type-${node.type}`),
          node.title,
        ),
      ),
    )
    list.hidden = false
    list.style.top = `${belowCaret()}px`
    choose(0)
  }

  /** Return where the line below the caret begins, within the element that holds the field and the list. */
  function belowCaret() {
    const style = getComputedStyle(field)
    const mirror = make('div.caret-mirror', {'aria-hidden': 'true'}, field.value.slice(0, field.selectionStart))
    const caret = make('span', {}, '\u200b')
    for (const name of MIRRORED) mirror.style[name] = style[name]
    mirror.style.width = `${field.clientWidth}px`
    mirror.append(caret)
    field.after(mirror)
    const below = caret.offsetTop + caret.offsetHeight - field.scrollTop
    mirror.remove()
    return field.offsetTop + Math.max(0, Math.min(below + LINE_GAP, field.clientHeight))
  }

  function close() {
    lastRequest++
    list.hidden = true
  }

  function choose(index) {
    selected = (index + titles.length) % titles.length
    const options = [...list.children]
    options.forEach((option, number) => option.setAttribute('aria-selected', String(number === selected)))
    options[selected].scrollIntoView({block: 'nearest'})
  }

  function insert(index) {
    const end = field.selectionStart
    const start = end - OPEN_LINK.exec(field.value.slice(0, end))[1].length
    const rest = field.value.startsWith(']]', end) ? 2 : 0
    field.setRangeText(`${titles[index]}]]`, start, end + rest, 'end')
    close()
    field.dispatchEvent(new InputEvent('input', {bubbles: true}))
  }

  function onKeydown(event) {
    if (list.hidden || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown') choose(selected + 1)
    else if (event.key === 'ArrowUp') choose(selected - 1)
    else if (event.key === 'Enter' || event.key === 'Tab') insert(selected)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

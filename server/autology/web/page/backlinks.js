// What links to a note or document, each with the sentence that does.

import {make} from '/picture/elements.js'
import {chip, isRelation, relationLabel} from './nodes.js'

const MAX_SHOWN = 20 // texts before "Show all"

/** Whether a link is the mention of a note in another text, and not a relation. */
export function isMention(link) {
  return !link.out && !isRelation(link.type)
}

/** Return the section of the texts that link here, or null if none does. */
export function linkedFrom(links) {
  const bySource = new Map()
  for (const link of links) {
    if (isMention(link) || link.quotes) bySource.set(link.id, [...(bySource.get(link.id) ?? []), link])
  }
  const texts = [...bySource.values()]
  if (!texts.length) return null
  const list = make('ul.plain.backlinks', {}, texts.slice(0, MAX_SHOWN).map(backlink))
  return make(
    'section.linked',
    {'aria-label': 'Linked from'},
    make('h2', {}, 'Linked from ', make('small.soft', {}, texts.length)),
    list,
    texts.length > MAX_SHOWN ? showAllButton(list, texts) : null,
  )
}

function showAllButton(list, texts) {
  const button = make(
    'button.more',
    {
      type: 'button',
      onclick: () => {
        list.append(...texts.slice(MAX_SHOWN).map(backlink))
        button.remove()
        list.children[MAX_SHOWN].querySelector('a')?.focus()
      },
    },
    `Show all ${texts.length}`,
  )
  return button
}

function backlink(sameSource) {
  const relations = sameSource.filter((link) => !isMention(link)).map((link) => relationLabel(link.type, true))
  const quotes = sameSource.flatMap((link) => link.quotes ?? [])
  return make(
    'li',
    {},
    chip(sameSource[0]),
    relations.length ? make('span.soft', {}, ` ${relations.join(', ')} this`) : null,
    quotes.map(([before, words, after]) => make('p', {}, before, make('mark', {}, words), after)),
  )
}

// The types of links in words, as read from either end, and how their lines look.

export const RELATIONS = {
  affects: ['affects', 'is affected by'],
  uses: ['uses', 'is used by'],
  supersedes: ['supersedes', 'is superseded by'],
  relates_to: ['relates to', 'relates to'],
  implements: ['implements', 'is implemented by'],
  depends_on: ['depends on', 'is needed by'],
  derived_from: ['derives from', 'is the source of'],
}
const MENTIONS = {
  CITES: ['cites', 'is cited by'],
  RELATED_TO: ['relates to', 'relates to'],
}

/** Return a link's type in words, as read from its source if it is *outgoing*, else from its target. */
export function relationLabel(type, isOutgoing = true) {
  const label = (RELATIONS[type] ?? MENTIONS[type])?.[isOutgoing ? 0 : 1]
  return label ?? `${isOutgoing ? '' : '← '}${type.toLowerCase().replaceAll('_', ' ')}`
}

/** Return the name of a link's line: of a replacement, a relation, or a mention in a text. */
export function lineOf(type) {
  if (type === 'supersedes') return 'replacement'
  return type in RELATIONS ? 'relation' : 'mention'
}

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
/** What an adopted record says that it changes of another one, which is stored as a relation between the two. */
export const WORDINGS = {
  amends: ['amends', 'is amended by'],
  extends: ['extends', 'is extended by'],
  updates: ['updates', 'is updated by'],
  clarifies: ['clarifies', 'is clarified by'],
  refines: ['refines', 'is refined by'],
  modifies: ['modifies', 'is modified by'],
  'supersedes in part': ['supersedes in part', 'is superseded in part by'],
}
const MENTIONS = {
  CITES: ['cites', 'is cited by'],
  RELATED_TO: ['relates to', 'relates to'],
}

/** Return a link's type in words, as read from its source if it is *outgoing*, else from its target. */
export function relationLabel(type, isOutgoing = true) {
  const label = (RELATIONS[type] ?? WORDINGS[type] ?? MENTIONS[type])?.[isOutgoing ? 0 : 1]
  return label ?? `${isOutgoing ? '' : '← '}${type.toLowerCase().replaceAll('_', ' ')}`
}

/** Whether a link is a relation of notes, and not a mention in a text. */
export function isRelation(type) {
  return type in RELATIONS || type in WORDINGS
}

/** Return the name of a link's line: of a replacement, a relation, or a mention in a text. */
export function lineOf(type) {
  if (type === 'supersedes') return 'replacement'
  return isRelation(type) ? 'relation' : 'mention'
}

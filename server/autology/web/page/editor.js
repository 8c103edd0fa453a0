// The editor for a new or an existing node. Unsaved changes stay in the tab's session storage and survive a reload.

import {fill, make} from '/picture/elements.js'
import {filters, reloadView} from './address.js'
import {call} from './api.js'
import {change, keepSuggestions} from './undo.js'
import {renderMarkdown} from '/site/markdown.js'
import {resolver} from './resolving.js'
import {DECISION_STATUS, STATUS, TYPES, chip, splitLines, nodeHref, splitAtCommas} from './nodes.js'
import {completeLinks} from './link_completion.js'

const DECISION_SECTIONS = ['Context', 'Decision', 'Alternatives', 'Consequences']
const DECISION_TEMPLATE = DECISION_SECTIONS.map((section) => `## ${section}\n\n`).join('\n')
const FIELDS = ['title', 'content', 'type', 'status', 'decisionStatus', 'tags', 'references']

export async function edit(id) {
  const stored = await call('opened', {id})
  if (stored.kind === 'deleted')
    throw Object.assign(new Error('This note was deleted. Restore it from Trash, then edit it.'), {kind: 'Refused'})
  if (stored.kind !== 'node')
    throw Object.assign(new Error('Only notes can be edited here. Edit documents in any editor.'), {kind: 'Refused'})
  return form(stored)
}

/** A new note; the address may name its type, the note that it supersedes, and a file or folder that it is about. */
export async function create() {
  const {type, supersedes, file = ''} = Object.fromEntries(filters())
  const older = supersedes ? (await call('opened', {id: supersedes})).node : null
  return form(null, {type: type ?? older?.type ?? '', older, file})
}

function form(stored, {type = '', older = null, file = ''} = {}) {
  const original = stored
    ? values(stored.node)
    : {
        title: '',
        content: type === 'decision' ? DECISION_TEMPLATE : '',
        type,
        status: '',
        decisionStatus: '',
        tags: older?.tags.join(', ') ?? '',
        references: older?.references.join('\n') ?? file,
      }
  const draftKey = `draft-${stored?.node.id ?? (older ? `new-${older.id}` : 'new')}`
  const draft = JSON.parse(sessionStorage.getItem(draftKey) ?? 'null')
  const prefilled = {...original, ...draft}
  const isAccepted = stored?.node.type === 'decision' && stored.node.decision_status === 'accepted'
  const isReadOnly = stored && (stored.node.secrets_left_out || stored.node.hidden_characters)
  const fields = {
    title: make('input', {type: 'text', value: prefilled.title, required: true, maxLength: 100, id: 'title'}),
    type: make(
      'select',
      {id: 'type', onchange: offerTemplate},
      stored ? null : make('option', {value: ''}, 'Detect from the text'),
      TYPES.map((type) => make('option', {value: type, selected: type === prefilled.type}, type)),
    ),
    status: make(
      'select',
      {id: 'status'},
      Object.entries(STATUS).map(([value, text]) =>
        make('option', {value, selected: value === prefilled.status}, text),
      ),
    ),
    decisionStatus: make(
      'select',
      {id: 'decision-status'},
      make('option', {value: ''}, `${DECISION_STATUS.accepted}, or as stated`),
      make('option', {value: 'proposed', selected: prefilled.decisionStatus === 'proposed'}, DECISION_STATUS.proposed),
    ),
    tags: make('input', {type: 'text', value: prefilled.tags, id: 'tags'}),
    reason: make('input', {
      type: 'text',
      id: 'reason',
      maxLength: 500,
      placeholder: 'Needed to change the title or the text',
    }),
    references: make('textarea', {value: prefilled.references, rows: 2, id: 'references'}),
    content: make('textarea.content', {
      value: prefilled.content,
      required: true,
      rows: 22,
      id: 'content',
      spellcheck: true,
      disabled: Boolean(isReadOnly),
    }),
  }
  const statusOfNew = stored ? null : labelledField('Status of the decision', fields.decisionStatus)
  const stillEmpty = make('p.soft', {role: 'status', hidden: true})
  const preview = make('div.preview', {'aria-label': 'Preview', role: 'region', tabIndex: 0})
  const alertBox = make('div', {role: 'alert'})
  const state = {version: stored?.version}
  const currentValues = () => Object.fromEntries(FIELDS.map((name) => [name, fields[name].value]))
  const close = () => {
    sessionStorage.removeItem(draftKey)
    location.hash = stored ? nodeHref(stored.node.id) : '#/'
  }
  const editor = make(
    'form.editor',
    {
      oninput: () => {
        sessionStorage.setItem(draftKey, JSON.stringify(currentValues()))
        updatePreview()
        updateHints()
      },
      onsubmit: (event) => {
        event.preventDefault()
        save()
      },
      onkeydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          editor.requestSubmit()
        }
      },
    },
    make('h1', {}, stored ? 'Edit' : 'New note'),
    draft
      ? make(
          'p.banner',
          {},
          'Your unsaved changes were restored. ',
          make(
            'button',
            {
              type: 'button',
              onclick: () => {
                sessionStorage.removeItem(draftKey)
                reloadView()
              },
            },
            'Discard them',
          ),
        )
      : null,
    isReadOnly
      ? make(
          'p.banner.warn',
          {},
          `The text contains something that cannot be shown here; edit it in its file: ${stored.path}`,
        )
      : null,
    older ? make('p.banner', {}, 'It will supersede ', chip(older)) : null,
    isAccepted
      ? make(
          'div.banner',
          {},
          make('p', {}, 'This decision is accepted, so its text is locked: amend it with a reason, or replace it.'),
          stored.node.status === 'needs_review' ? make('p', {}, 'An amendment settles its review, too.') : null,
          labelledField('Reason for the amendment', fields.reason),
          make('a.button', {href: `#/new?supersedes=${stored.node.id}`}, 'Write its replacement'),
        )
      : null,
    alertBox,
    labelledField('Title', fields.title),
    make(
      'div.columns',
      {},
      labelledField('Type', fields.type),
      stored ? labelledField('Status', fields.status) : statusOfNew,
      labelledField('Tags, comma-separated', fields.tags),
    ),
    make(
      'div.writing',
      {},
      labelledField('Text in Markdown', fields.content),
      make('div.field', {}, make('span.label', {}, 'Preview'), preview),
    ),
    labelledField('Related files, one per line', fields.references),
    make(
      'div.row',
      {},
      make('button.primary', {type: 'submit', title: 'Ctrl+Enter'}, stored ? 'Save' : 'Create'),
      make('button', {type: 'button', onclick: close}, 'Cancel'),
      stillEmpty,
    ),
  )
  completeLinks(fields.content)
  editor.onShown = () => {
    updatePreview()
    updateHints()
    fields.content.setSelectionRange(0, 0) // a caret at the end would scroll the title and the reason away
    ;(isAccepted ? fields.reason : stored ? fields.content : fields.title).focus({preventScroll: true})
  }
  return editor

  function updatePreview() {
    fill(
      preview,
      renderMarkdown(fields.content.value, resolver(stored?.path ?? '', stored?.targets)),
    )
  }

  /** Offer a new decision its status, and say which of its sections are empty so far. */
  function updateHints() {
    if (stored) return
    const isDecision = fields.type.value === 'decision'
    const empty = isDecision ? emptySections(fields.content.value) : []
    const text = empty.length ? `Still empty: ${empty.join(', ')}. A decision with an empty section is marked for review.` : ''
    statusOfNew.hidden = !isDecision
    stillEmpty.hidden = !empty.length
    if (stillEmpty.textContent !== text) stillEmpty.textContent = text
  }

  async function save() {
    try {
      const reply = stored ? await saveChanges(changedFields(original, currentValues())) : await createNote()
      sessionStorage.removeItem(draftKey)
      if (!stored) keepSuggestions(reply)
      location.hash = nodeHref(stored?.node.id ?? reply.id)
    } catch (error) {
      if (error.kind === 'ConflictError') await showConflict()
      else fill(alertBox, make('p.banner.bad', {}, error.message))
      alertBox.scrollIntoView({block: 'nearest'})
    }
  }

  async function createNote() {
    return change('create', {...creationArguments(currentValues()), ...(older ? {supersedes: [older.id]} : {})})
  }

  /** Save the changed fields; the title and the text of an accepted decision are amended for the reason given. */
  async function saveChanges(changed) {
    const {id} = stored.node
    const {title, content, ...others} = changed
    const isAmended = isAccepted && (title !== undefined || content !== undefined) && !isUnchanged(changed)
    if (!isAmended) return change('update', {id, version: state.version, ...changed})
    if (!fields.reason.value.trim()) {
      fields.reason.focus()
      throw new Error('Say why the accepted text changes: the reason is kept in the note.')
    }
    const text = {...(title === undefined ? {} : {title}), ...(content === undefined ? {} : {content})}
    const reply = await change('amend', {id, version: state.version, reason: fields.reason.value, ...text})
    return Object.keys(others).length ? change('update', {id, ...others}) : reply
  }

  function isUnchanged({title, content}) {
    return (title ?? original.title) === original.title && (content ?? original.content) === original.content
  }

  /** A decision that is still empty begins with the sections that one needs. */
  function offerTemplate() {
    if (!stored && !fields.content.value.trim() && fields.type.value === 'decision') fields.content.value = DECISION_TEMPLATE
    updateHints()
  }

  async function showConflict() {
    const latest = await call('opened', {id: stored.node.id})
    const overwrite = () => {
      state.version = latest.version
      save()
    }
    fill(
      alertBox,
      make(
        'div.banner.warn',
        {},
        make(
          'p',
          {},
          'The note was changed elsewhere while you were editing. Your text is still in the fields below. The current version:',
        ),
        make(
          'div.preview',
          {tabIndex: 0},
          make('h2', {}, latest.node.title),
          renderMarkdown(latest.node.content, resolver(latest.path, latest.targets)),
        ),
        make(
          'div.row',
          {},
          make('button', {type: 'button', onclick: overwrite}, 'Overwrite with mine'),
          make('button', {type: 'button', onclick: close}, 'Use theirs'),
        ),
      ),
    )
  }
}

/** Return the sections of the template that have a heading in *text*, and nothing under it. */
function emptySections(text) {
  return DECISION_SECTIONS.filter((section) => new RegExp(`^## ${section}[ \\t]*\\n\\s*(?:## |(?![^]))`, 'm').test(text))
}

function labelledField(label, field) {
  return make('label.field', {htmlFor: field.id}, make('span.label', {}, label), field)
}

function values(node) {
  return {
    title: node.title,
    content: node.content,
    type: node.type,
    status: node.status,
    decisionStatus: '', // only a new decision is given one here
    tags: node.tags.join(', '),
    references: node.references.join('\n'),
  }
}

function creationArguments({title, content, type, decisionStatus, tags, references}) {
  return {
    title,
    content,
    ...(type ? {type} : {}),
    ...(type === 'decision' && decisionStatus ? {decision_status: decisionStatus} : {}),
    tags: splitAtCommas(tags),
    references: splitLines(references),
  }
}

/** Return only the changed fields, so that the others stay as they are in the file. */
function changedFields(original, edited) {
  const parsers = {tags: splitAtCommas, references: splitLines}
  const names = FIELDS.filter((name) => edited[name] !== original[name])
  if (!names.length) return {title: edited.title}
  return Object.fromEntries(names.map((name) => [name, (parsers[name] ?? String)(edited[name])]))
}

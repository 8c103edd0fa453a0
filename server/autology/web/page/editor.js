// A node written: made, or changed. What is not saved yet stays in this tab, whatever happens to the page.

import {fill, make} from '/picture/elements.js'
import {call} from './api.js'
import {change, offer} from './undo.js'
import {rendered} from './markdown.js'
import {STATUS, TYPES, lines, to, words} from './nodes.js'

const FIELDS = ['title', 'content', 'type', 'status', 'tags', 'references']

export async function edit(id) {
  const told = await call('opened', {id})
  if (told.kind !== 'node')
    throw Object.assign(new Error('Only nodes are edited here; documents with any editor.'), {kind: 'Refused'})
  return form(told)
}

export async function fresh() {
  return form(null)
}

function form(told) {
  const before = told ? values(told.node) : {title: '', content: '', type: '', status: '', tags: '', references: ''}
  const draft = `draft-${told?.node.id ?? 'new'}`
  const kept = JSON.parse(sessionStorage.getItem(draft) ?? 'null')
  const start = {...before, ...kept}
  const closed = told && (told.node.secrets_left_out || told.node.hidden_characters)
  const fields = {
    title: make('input', {type: 'text', value: start.title, required: true, maxLength: 100, id: 'title'}),
    type: make(
      'select',
      {id: 'type'},
      told ? null : make('option', {value: ''}, 'Detect from the text'),
      TYPES.map((each) => make('option', {value: each, selected: each === start.type}, each)),
    ),
    status: make(
      'select',
      {id: 'status'},
      Object.entries(STATUS).map(([value, text]) => make('option', {value, selected: value === start.status}, text)),
    ),
    tags: make('input', {type: 'text', value: start.tags, id: 'tags'}),
    references: make('textarea', {value: start.references, rows: 2, id: 'references'}),
    content: make('textarea.content', {
      value: start.content,
      required: true,
      rows: 22,
      id: 'content',
      spellcheck: true,
      disabled: Boolean(closed),
    }),
  }
  const preview = make('div.preview', {'aria-label': 'Preview', role: 'region', tabIndex: 0})
  const note = make('div', {role: 'alert'})
  const state = {version: told?.version}
  const read = () => Object.fromEntries(FIELDS.map((name) => [name, fields[name].value]))
  const leave = () => {
    sessionStorage.removeItem(draft)
    location.hash = told ? to(told.node.id) : '#/'
  }
  const made = make(
    'form.editor',
    {
      oninput: () => {
        sessionStorage.setItem(draft, JSON.stringify(read()))
        show()
      },
      onsubmit: (event) => {
        event.preventDefault()
        save()
      },
      onkeydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          made.requestSubmit()
        }
      },
    },
    make('h1', {}, told ? 'Edit' : 'New node'),
    kept
      ? make(
          'p.banner',
          {},
          'Your unsaved changes were restored. ',
          make(
            'button',
            {
              type: 'button',
              onclick: () => {
                sessionStorage.removeItem(draft)
                dispatchEvent(new HashChangeEvent('hashchange'))
              },
            },
            'Discard them',
          ),
        )
      : null,
    closed
      ? make(
          'p.banner.warn',
          {},
          `The text contains something that cannot be shown here; edit it in its file: ${told.path}`,
        )
      : null,
    note,
    row('Title', fields.title),
    make(
      'div.columns',
      {},
      row('Type', fields.type),
      told ? row('Status', fields.status) : null,
      row('Tags, comma-separated', fields.tags),
    ),
    make(
      'div.writing',
      {},
      row('Text in Markdown', fields.content),
      make('div.field', {}, make('span.label', {}, 'Preview'), preview),
    ),
    row('Related files, one per line', fields.references),
    make(
      'div.row',
      {},
      make('button.primary', {type: 'submit', title: 'Ctrl+Enter'}, told ? 'Save' : 'Create'),
      make('button', {type: 'button', onclick: leave}, 'Cancel'),
    ),
  )
  made.shown = () => {
    show()
    ;(told ? fields.content : fields.title).focus()
  }
  return made

  function show() {
    fill(
      preview,
      rendered(fields.content.value, (target) => to(target)),
    )
  }

  async function save() {
    try {
      const done = told
        ? await change('update', {id: told.node.id, version: state.version, ...differing(before, read())})
        : await change('create', given(read()))
      sessionStorage.removeItem(draft)
      if (!told) offer(done)
      location.hash = to(told?.node.id ?? done.id)
    } catch (error) {
      if (error.kind === 'ConflictError') await conflict()
      else fill(note, make('p.banner.bad', {}, error.message))
      note.scrollIntoView({block: 'nearest'})
    }
  }

  async function conflict() {
    const now = await call('opened', {id: told.node.id})
    const over = () => {
      state.version = now.version
      save()
    }
    fill(
      note,
      make(
        'div.banner.warn',
        {},
        make(
          'p',
          {},
          'The note was changed elsewhere while you were editing. Nothing was saved or lost. The current version:',
        ),
        make('div.preview', {tabIndex: 0}, make('h2', {}, now.node.title), rendered(now.node.content)),
        make(
          'div.row',
          {},
          make('button', {type: 'button', onclick: over}, 'Overwrite with mine'),
          make('button', {type: 'button', onclick: leave}, 'Keep theirs'),
        ),
      ),
    )
  }
}

function row(label, field) {
  return make('label.field', {htmlFor: field.id}, make('span.label', {}, label), field)
}

function values(node) {
  return {
    title: node.title,
    content: node.content,
    type: node.type,
    status: node.status,
    tags: node.tags.join(', '),
    references: node.references.join('\n'),
  }
}

function given({title, content, type, tags, references}) {
  return {title, content, ...(type ? {type} : {}), tags: words(tags), references: lines(references)}
}

/** Return only what somebody changed: what nobody touched stays as its file has it. */
function differing(before, after) {
  const read = {tags: words, references: lines}
  const changed = FIELDS.filter((name) => after[name] !== before[name])
  if (!changed.length) return {title: after.title}
  return Object.fromEntries(changed.map((name) => [name, (read[name] ?? String)(after[name])]))
}

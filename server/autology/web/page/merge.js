// Two nodes that say the same, side by side, and the one that is made of them.

import {day, fill, make} from '/picture/elements.js'
import {call} from './api.js'
import {change} from './undo.js'
import {rendered} from './markdown.js'
import {lines, to, words} from './nodes.js'

export async function merge(one, other) {
  const pair = await Promise.all([one, other].map((id) => call('opened', {id})))
  if (pair.some((each) => each.kind !== 'node'))
    throw Object.assign(new Error('Only nodes are merged.'), {kind: 'Refused'})
  const state = {kept: pair[0].node.created <= pair[1].node.created ? 0 : 1}
  const made = make('section.merge')
  show()
  return made

  function show() {
    const kept = pair[state.kept]
    const gone = pair[1 - state.kept]
    const closed = pair.some(({node}) => node.secrets_left_out || node.hidden_characters)
    const title = make('input', {type: 'text', value: kept.node.title, id: 'title', maxLength: 100, required: true})
    const content = make('textarea.content', {value: kept.node.content, rows: 16, id: 'content', disabled: closed})
    const tags = make('input', {
      type: 'text',
      value: [...new Set([...kept.node.tags, ...gone.node.tags])].join(', '),
      id: 'tags',
    })
    const references = make('textarea', {
      value: [...new Set([...kept.node.references, ...gone.node.references])].join('\n'),
      rows: 2,
      id: 'references',
    })
    const note = make('div', {role: 'alert'})
    fill(
      made,
      make('h1', {}, 'Merge two nodes'),
      make('p.soft', {}, 'One stays, with the relations of both; the other goes to the trash. It can be undone.'),
      make(
        'div.sides',
        {},
        pair.map((each, number) => side(each, number, content)),
      ),
      make(
        'form.editor',
        {
          onsubmit: (event) => {
            event.preventDefault()
            save()
          },
        },
        make('h2', {}, 'Merged node'),
        note,
        field('Title', title),
        field('Text', content),
        make('div.columns', {}, field('Tags of both', tags), field('Files of both', references)),
        make(
          'div.row',
          {},
          make('button.primary', {type: 'submit'}, 'Merge'),
          make('a.button', {href: to(kept.node.id)}, 'Cancel'),
        ),
      ),
    )

    async function save() {
      const changed = {
        ...(title.value !== kept.node.title ? {title: title.value} : {}),
        ...(content.value !== kept.node.content ? {content: content.value} : {}),
      }
      try {
        const done = await change('combine', {
          kept: kept.node.id,
          other: gone.node.id,
          versions: [kept.version, gone.version],
          ...changed,
          tags: words(tags.value),
          references: lines(references.value),
        })
        location.hash = to(done.id)
      } catch (error) {
        fill(
          note,
          make(
            'p.banner.bad',
            {},
            error.message,
            error.kind === 'ConflictError' ? ' Reload this view to see the current versions.' : '',
          ),
        )
      }
    }
  }

  function side({node, path}, number, content) {
    const stays = number === state.kept
    return make(
      stays ? 'section.side.stays' : 'section.side',
      {'aria-label': stays ? 'The node that stays' : 'The node that goes'},
      make(
        'label.check',
        {},
        make('input', {
          type: 'radio',
          name: 'kept',
          checked: stays,
          onchange: () => {
            state.kept = number
            show()
          },
        }),
        make('strong', {}, stays ? 'Stays' : 'Goes to the trash'),
      ),
      make('h2', {}, node.title),
      make(
        'p.facts',
        {},
        make(`i.dot.type-${node.type}`),
        `${node.type} · ${day(node.created)} · ${node.relations.length} relations`,
      ),
      make('div.preview', {tabIndex: 0}, rendered(node.content)),
      stays
        ? null
        : make(
            'button',
            {
              type: 'button',
              onclick: () => {
                content.value = `${content.value.trimEnd()}\n\n${node.content.trim()}\n`
                content.focus()
              },
            },
            'Add its text below',
          ),
      make('p.soft', {}, path),
    )
  }
}

function field(label, input) {
  return make('label.field', {htmlFor: input.id}, make('span.label', {}, label), input)
}

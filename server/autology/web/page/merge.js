// Two duplicate nodes side by side, and the node that they are merged into.

import {formatDate, fill, make, pluralize} from '/picture/elements.js'
import {call} from './api.js'
import {change} from './undo.js'
import {renderMarkdown} from '/site/markdown.js'
import {splitLines, nodeHref, shortened, splitAtCommas} from './nodes.js'
import {resolver} from './resolving.js'

export async function merge(one, other) {
  const pair = await Promise.all([one, other].map((id) => call('opened', {id})))
  if (pair.some((reply) => reply.kind !== 'node'))
    throw Object.assign(new Error('Only notes can be merged.'), {kind: 'Refused'})
  const state = {targetIndex: (pair[0].node.created ?? '') <= (pair[1].node.created ?? '') ? 0 : 1}
  const element = make('section.merge')
  render()
  return element

  function render() {
    const target = pair[state.targetIndex]
    const source = pair[1 - state.targetIndex]
    const isReadOnly = pair.some(({node}) => node.secrets_left_out || node.hidden_characters)
    const title = make('input', {type: 'text', value: target.node.title, id: 'title', maxLength: 100, required: true})
    const content = make('textarea.content', {
      value: target.node.content,
      rows: 16,
      id: 'content',
      disabled: isReadOnly,
    })
    const tags = make('input', {
      type: 'text',
      value: [...new Set([...target.node.tags, ...source.node.tags])].join(', '),
      id: 'tags',
    })
    const references = make('textarea', {
      value: [...new Set([...target.node.references, ...source.node.references])].join('\n'),
      rows: 2,
      id: 'references',
    })
    const alertBox = make('div', {role: 'alert'})
    fill(
      element,
      make('h1', {}, 'Merge two notes'),
      make(
        'p.soft',
        {},
        'One note stays and takes over the relations of both; the other goes to the trash. You can undo this.',
      ),
      make(
        'div.sides',
        {},
        pair.map((reply, index) => side(reply, index, content)),
      ),
      make(
        'form.editor',
        {
          onsubmit: (event) => {
            event.preventDefault()
            save()
          },
        },
        make('h2', {}, 'Merged note'),
        alertBox,
        labelledField('Title', title),
        labelledField('Text', content),
        make('div.columns', {}, labelledField('Tags of both', tags), labelledField('Files of both', references)),
        make(
          'div.row',
          {},
          make('button.primary', {type: 'submit'}, 'Merge'),
          make('a.button', {href: nodeHref(target.node.id, target.node.title)}, 'Cancel'),
        ),
      ),
    )

    async function save() {
      const changedTexts = {
        ...(title.value !== target.node.title ? {title: title.value} : {}),
        ...(content.value !== target.node.content ? {content: content.value} : {}),
      }
      try {
        const reply = await change('combine', {
          target: target.node.id,
          source: source.node.id,
          versions: [target.version, source.version],
          ...changedTexts,
          tags: splitAtCommas(tags.value),
          references: splitLines(references.value),
        })
        location.hash = nodeHref(reply.id)
      } catch (error) {
        fill(
          alertBox,
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

  function side({node, path, targets}, index, content) {
    const isTarget = index === state.targetIndex
    return make(
      isTarget ? 'section.side.target' : 'section.side',
      {'aria-label': isTarget ? 'Note to keep' : 'Note to move to the trash'},
      make(
        'label.check',
        {},
        make('input', {
          type: 'radio',
          name: 'target',
          checked: isTarget,
          onchange: () => {
            state.targetIndex = index
            render()
          },
        }),
        make('strong', {}, 'Keep this one'),
        isTarget ? null : make('span.pill', {}, 'Goes to the trash'),
      ),
      make('h2', {}, node.title),
      make(
        'p.facts',
        {},
        make(`i.dot.type-${node.type}`),
        `${node.type} · ${formatDate(node.created)} · ${pluralize(node.relations.length, 'relation')}`,
      ),
      make('div.preview', {tabIndex: 0}, renderMarkdown(node.content, resolver(path, targets))),
      isTarget
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
            'Append its text',
          ),
      make('p.soft', {title: path}, shortened(path)),
    )
  }
}

function labelledField(label, input) {
  return make('label.field', {htmlFor: input.id}, make('span.label', {}, label), input)
}

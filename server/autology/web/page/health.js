// The problems of the notes, why they matter, and buttons that fix them.

import {pluralize, make} from '/picture/elements.js'
import {reloadView} from './address.js'
import {call} from './api.js'
import {change, notify} from './undo.js'
import {chip, relationLabel} from './nodes.js'

const SEVERITIES = {error: 'Broken', warning: 'Misleading', notice: 'Could be better'}

export async function health() {
  const report = await call('health')
  const groups = Object.keys(SEVERITIES)
    .map((severity) => [severity, report.findings.filter((finding) => finding.severity === severity)])
    .filter(([, findings]) => findings.length)
  return make(
    'section.list.health',
    {},
    make('h1', {}, groups.length || report.problems.length ? 'Health' : 'Everything is fine'),
    make('p.soft', {}, `${pluralize(report.nodes, 'note')} checked: ${report.checks.join(', ')}.`),
    (report.degraded ?? []).map((note) => make('p.banner.warn', {}, note)),
    report.problems.length
      ? [
          make('h2', {}, 'Files and index'),
          make(
            'ul.plain',
            {},
            report.problems.map((problem) =>
              make(
                'li.finding',
                {},
                make('h3', {}, `${problem.area}: ${problem.problem}`),
                make('p.soft', {}, problem.fix),
              ),
            ),
          ),
        ]
      : null,
    groups.map(([severity, findings]) => [
      make('h2', {}, `${SEVERITIES[severity]} (${findings.length})`),
      make('ul.plain', {}, findings.map(findingItem)),
    ]),
    report.more ? make('p.soft', {}, report.more) : null,
  )
}

function findingItem(finding) {
  const nodes = finding.nodes.filter((node) => node.id)
  const titles = new Map(nodes.map((node) => [node.id, node.title]))
  return make(
    `li.finding.${finding.severity}`,
    {},
    make('h3', {}, finding.what),
    make('p', {}, finding.why),
    finding.evidence.length
      ? make(
          'ul.evidence',
          {},
          finding.evidence.map((line) => make('li', {}, line)),
        )
      : null,
    nodes.length
      ? make(
          'p.row',
          {},
          nodes.slice(0, 8).map((node) => chip(node)),
          finding.more_nodes ? `and ${finding.more_nodes} more` : null,
        )
      : make('p.soft', {}, finding.nodes.map((node) => node.path).join(', ')),
    make(
      'div.row',
      {},
      finding.check === 'duplicates' && nodes.length === 2
        ? make('a.button.primary', {href: `#/merge/${nodes[1].id}/${nodes[0].id}`}, 'Compare and merge')
        : null,
      finding.node_to_edit ? make('a.button', {href: `#/edit/${finding.node_to_edit}`}, 'Edit') : null,
      finding.actions.map((action) =>
        make('button', {type: 'button', onclick: () => applyFix(action)}, actionLabel(action, titles)),
      ),
    ),
    finding.actions.length || finding.check === 'duplicates' || finding.node_to_edit
      ? null
      : make('details', {}, make('summary', {}, 'How to fix it'), make('code', {}, finding.fix)),
  )
}

function actionLabel({call: name, arguments: args}, titles) {
  const titleOf = (id) => titles.get(id) ?? id.slice(0, 8)
  if (name === 'delete') return `Delete “${titleOf(args.id)}”`
  if (name === 'update') {
    const field = Object.keys(args).find((key) => key !== 'id')
    const value = Array.isArray(args[field]) ? args[field].join(', ') || 'none' : args[field]
    return `Set the ${field.replace('_', ' ')} of “${titleOf(args.id)}” to ${value}`
  }
  if (name === 'relate') return `“${titleOf(args.source)}” ${relationLabel(args.type, true)} “${titleOf(args.target)}”`
  return `Remove the relation ${relationLabel(args.type, true)}`
}

async function applyFix({call: name, arguments: args}) {
  try {
    await change(name, args)
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

// The problems of the notes, why they matter, and buttons that fix them.

import {pluralize, make} from '/picture/elements.js'
import {reloadView} from './address.js'
import {call} from './api.js'
import {change, notify} from './undo.js'
import {chip, relationLabel} from './nodes.js'

const OPEN_FINDINGS = 5 // equal findings shown at once
const OWN_NOTES = '.autology/nodes/'
const CHECKS = {
  unreadable: 'Unreadable',
  dangling: 'Broken relations',
  frozen: 'Accepted text that was changed',
  chains: 'Contradicting supersessions',
  incomplete: 'Incomplete',
  duplicates: 'Possible duplicates',
  stale: 'May be outdated',
  orphans: 'Not linked',
  tags: 'Similar tags',
  coverage: 'Undocumented',
  hubs: 'Linked very often',
  bridges: 'Only link between two parts',
  communities: 'Groups without a description',
}
const SEVERITIES = {error: 'Broken', warning: 'Warnings', notice: 'Could be better'}

export async function health() {
  const report = await call('health')
  const groups = Object.keys(SEVERITIES)
    .map((severity) => [severity, report.findings.filter((finding) => finding.severity === severity)])
    .filter(([, findings]) => findings.length)
  return make(
    'section.list.health',
    {},
    make(
      'h1',
      {},
      groups.length || report.problems.length || report.to_review.length ? 'Health' : 'Everything is fine',
    ),
    make('p.soft', {}, `Checked ${pluralize(report.nodes, 'note')} (${pluralize(report.checks.length, 'check')})`),
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
    report.to_review.length ? reviewSection(report.to_review) : null,
    groups.map(([severity, findings]) => [
      make('h2', {}, `${SEVERITIES[severity]} (${findings.length})`),
      groupByCheck(findings).map(findingGroup),
    ]),
    report.dismissed ? dismissedSection(report) : null,
    report.more ? make('p.soft', {}, report.more) : null,
  )
}

/** Return the notes that are marked for review, each with the button that settles it. */
function reviewSection(notes) {
  return [
    make('h2', {}, `Needs review (${notes.length})`),
    make(
      'ul.plain',
      {},
      notes.map((note) =>
        make(
          'li.row',
          {},
          chip(note),
          make('button', {type: 'button', 'aria-label': `Mark as reviewed: ${note.title}`, onclick: () => review(note)}, 'Mark as reviewed'),
        ),
      ),
    ),
  ]
}

async function review({id}) {
  try {
    await change('keep', {id})
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

/** Return the findings of each check together, in their order. */
function groupByCheck(findings) {
  const groups = new Map()
  for (const finding of findings) {
    const key = `${finding.check}\n${finding.why}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()]
}

/** Return one finding, or equal ones under what they have in common. */
function findingGroup(findings) {
  if (findings.length === 1) return make('ul.plain', {}, findingItem(findings[0], true))
  const [{check, why}] = findings
  const collections = [...new Set(findings.map((finding) => finding.collection))].filter(Boolean)
  return make(
    'section.finding-group',
    {},
    make('h3', {}, `${CHECKS[check] ?? check} (${findings.length})`),
    make('p', {}, why),
    make(
      'div.row',
      {},
      collections.slice(0, 4).map((folder) =>
        make(
          'button',
          {type: 'button', onclick: () => dismiss(`${check}:${folder}`, true)},
          `Ignore this check for ${nameOfCollection(folder)}`,
        ),
      ),
    ),
    make('ul.plain', {}, findings.slice(0, OPEN_FINDINGS).map((finding) => findingItem(finding, false))),
    findings.length > OPEN_FINDINGS
      ? make(
          'details',
          {},
          make('summary', {}, `${findings.length - OPEN_FINDINGS} more`),
          make('ul.plain', {}, findings.slice(OPEN_FINDINGS).map((finding) => findingItem(finding, false))),
        )
      : null,
  )
}

function nameOfCollection(folder) {
  return folder.startsWith(OWN_NOTES) ? `${folder.slice(OWN_NOTES.length) || 'notes'}` : folder
}

function dismissedSection({dismissed, dismissals}) {
  return make(
    'details.dismissed',
    {},
    make('summary', {}, `${pluralize(dismissed, 'finding')} dismissed`),
    make(
      'ul.plain',
      {},
      dismissals.map((name) =>
        make(
          'li.row',
          {},
          make('span', {}, nameOfDismissal(name)),
          make('button.small', {type: 'button', onclick: () => dismiss(name, false)}, 'Show again'),
        ),
      ),
    ),
  )
}

function nameOfDismissal(name) {
  const [, check, folder] = /^(\w+):(.*)$/.exec(name) ?? [null, name.split('#')[0], null]
  const label = CHECKS[check] ?? check
  return folder === null ? `${label}: one finding` : `${label}: all of ${nameOfCollection(folder)}`
}

async function dismiss(name, dismissed) {
  try {
    await call('dismiss', {name, dismissed})
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

function findingItem(finding, showsWhy) {
  const nodes = finding.nodes.filter((node) => node.id)
  const titles = new Map(nodes.map((node) => [node.id, node.title]))
  return make(
    `li.finding.${finding.severity}`,
    {},
    make('h3', {}, finding.what),
    showsWhy ? make('p', {}, finding.why) : null,
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
      finding.check === 'orphans' && nodes.length === 1
        ? make('a.button', {href: `#/node/${nodes[0].id}?relate=1`}, 'Add a relation')
        : null,
      make(
        'button',
        {
          type: 'button',
          'aria-label': `Dismiss: ${finding.what}`,
          onclick: () => dismiss(finding.dismissal, true),
        },
        'Dismiss',
      ),
    ),
    finding.actions.length || finding.check === 'duplicates' || finding.node_to_edit
      ? null
      : make('details', {}, make('summary', {}, 'How to fix it'), make('code', {}, finding.fix)),
  )
}

function actionLabel({call: name, arguments: args}, titles) {
  if (name === 'records') return `Stop checking for sections in ${args.folder}`
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
    if (name === 'records') {
      await call(name, args)
      notify(`Sections are no longer checked in ${args.folder} (saved in .autology/config.yaml)`)
    } else await change(name, args)
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

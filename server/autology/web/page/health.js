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
    switchedOff(report),
    dismissedSection(report),
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
          {type: 'button', title: 'Only for you, on this computer', onclick: () => dismiss(`${check}:${folder}`, true)},
          `Hide “${CHECKS[check] ?? check}” for ${nameOfCollection(folder)}`,
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
  return folder.startsWith(OWN_NOTES) ? `all ${folder.slice(OWN_NOTES.length) || 'notes'} written here` : folder
}

/** Return the checks that were switched off, each with the button that switches it on; null if there are none. */
function switchedOff({dismissals, unchecked}) {
  const ignored = dismissals.filter((name) => !name.includes('#'))
  if (!ignored.length && !unchecked.length) return null
  const item = (text, where, onclick) =>
    make(
      'li.row',
      {},
      make('span', {}, text, make('small.soft', {}, ` · ${where}`)),
      make('button.small', {type: 'button', 'aria-label': `Switch on: ${text}`, onclick}, 'Switch on'),
    )
  return make(
    'section.switched-off',
    {'aria-label': 'Switched off'},
    make('h2', {}, 'Switched off'),
    make(
      'ul.plain',
      {},
      unchecked.map((folder) =>
        item(`Sections of the records in ${folder}`, 'for everyone, in .autology/config.yaml', () => expectSections(folder, '')),
      ),
      ignored.map((name) => item(nameOfDismissal(name), 'for you', () => dismiss(name, false))),
    ),
  )
}

/** Return the findings that were dismissed one by one. */
function dismissedSection({dismissals}) {
  const single = dismissals.filter((name) => name.includes('#'))
  if (!single.length) return null
  return make(
    'details.dismissed',
    {},
    make('summary', {}, `${pluralize(single.length, 'finding')} dismissed`),
    make(
      'ul.plain',
      {},
      single.map((name) =>
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
  return folder === null ? `${label}: one finding` : `“${label}” for ${nameOfCollection(folder)}`
}

async function dismiss(name, dismissed) {
  try {
    await call('dismiss', {name, dismissed})
    const what = nameOfDismissal(name)
    notify(dismissed ? `Hidden: ${what}` : `Shown again: ${what}`, () => dismiss(name, !dismissed))
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

function findingItem(finding, showsWhy) {
  const nodes = finding.nodes.filter((node) => node.id)
  const titles = new Map(nodes.map((node) => [node.id, labelOf(node)]))
  return make(
    `li.finding.${finding.severity}`,
    {},
    make('h3', {}, headingOf(finding, nodes)),
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

/** Return what a finding is about; of two notes of one title, what tells them apart too. */
function headingOf({check, what}, nodes) {
  if (check !== 'duplicates' || !nodes.every((node) => node.mark)) return what
  return `${what.split(/ (?:as|of) '/)[0]}: ${nodes.map(labelOf).join(', ')}`
}

function labelOf({title, mark}) {
  return mark ? `${title} (${mark})` : title
}

function actionLabel({call: name, arguments: args}, titles) {
  if (name === 'records') return `Expect no sections in ${args.folder}, for everyone`
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
    if (name === 'records') await expectSections(args.folder, args.sections)
    else {
      await change(name, args)
      reloadView()
    }
  } catch (error) {
    notify(error.message, 0, true)
  }
}

/** Let complete records in *folder* have these *sections*: "none", or "" for those that most have. */
async function expectSections(folder, sections) {
  try {
    const {before} = await call('records', {folder, sections})
    const state = sections === 'none' ? 'no longer' : 'again'
    notify(`Sections are ${state} checked in ${folder} (saved in .autology/config.yaml)`, () => expectSections(folder, before))
    reloadView()
  } catch (error) {
    notify(error.message, 0, true)
  }
}

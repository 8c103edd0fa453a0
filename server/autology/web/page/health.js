// The problems of the notes, why they matter, and buttons that fix them.

import {pluralize, make, withCode} from '/picture/elements.js'
import {reloadView} from './address.js'
import {call} from './api.js'
import {change, notify} from './undo.js'
import {fileLink} from './files.js'
import {chip, nodeHref, relationLabel, shortened} from './nodes.js'

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
// What a reader can do on the page about findings without a fix that can be applied.
const HINTS = {
  tags: 'Open each note and add tags.',
  hubs: 'Look at what links to it; split it if it covers several topics.',
  bridges: 'Look at the graph around it, and relate other notes of the two parts if they belong together.',
  communities: 'Write a note that says what these have in common, and relate it to them.',
  coverage: 'Write a note about it.',
}
const IN_GRAPH = ['hubs', 'bridges', 'communities']
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
                make('h3', {}, capitalized(problem.area), ': ', withCode(problem.problem)),
                make('p.soft', {}, withCode(problem.fix)),
              ),
            ),
          ),
        ]
      : null,
    report.to_review.length ? reviewSection(report.to_review) : null,
    groups.map(([severity, findings]) => [
      make('h2', {}, `${SEVERITIES[severity]} (${findings.length})`),
      groupByCheck(findings).map((group) => findingGroup(group, report.titles)),
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
          'li.entry',
          {},
          chip(note),
          make('button', {type: 'button', 'aria-label': `Mark as reviewed: ${note.title}`, onclick: () => review(note)}, 'Mark as reviewed'),
        ),
      ),
    ),
  ]
}

/** Return the button that keeps a note as it is, or leads to it where a reason has to be given. */
function reviewAction(node, needsReason) {
  return needsReason
    ? make('a.button', {href: nodeHref(node.id, node.title)}, 'Open and review')
    : make('button', {type: 'button', onclick: () => review(node)}, 'Mark as reviewed')
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
function findingGroup(findings, titles) {
  if (findings.length === 1) return make('ul.plain', {}, findingItem(findings[0], true, titles))
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
    make('ul.plain', {}, findings.slice(0, OPEN_FINDINGS).map((finding) => findingItem(finding, false, titles))),
    findings.length > OPEN_FINDINGS
      ? make(
          'details',
          {},
          make('summary', {}, `${findings.length - OPEN_FINDINGS} more`),
          make('ul.plain', {}, findings.slice(OPEN_FINDINGS).map((finding) => findingItem(finding, false, titles))),
        )
      : null,
  )
}

function nameOfCollection(folder) {
  return folder.startsWith(OWN_NOTES) ? `${folder.slice(OWN_NOTES.length) || 'notes'} in .autology` : folder
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

function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Return the evidence of a finding without lines that only name its notes; ids are replaced by titles. */
function evidenceOf({evidence, nodes}) {
  const titled = (line) =>
    line.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f-]{27})?\b/g, (id) => {
      const node = nodes.find((one) => one.id?.startsWith(id))
      return node ? `“${node.title}”` : id
    })
  return evidence.filter((line) => !nodes.some(({title}) => line === title || line === `no tag: ${title}`)).map(titled)
}

function findingItem(finding, showsWhy, allTitles) {
  const nodes = finding.nodes.filter((node) => node.id)
  const titles = new Map([...Object.entries(allTitles), ...nodes.map((node) => [node.id, labelOf(node)])])
  const evidence = evidenceOf(finding)
  const reviewed = finding.node_to_review && nodes.find((node) => node.id.startsWith(finding.node_to_review))
  const isFixable = finding.actions.length || finding.check === 'duplicates' || finding.node_to_edit || reviewed
  return make(
    `li.finding.${finding.severity}`,
    {},
    make('h3', {}, withCode(headingOf(finding, nodes))),
    showsWhy ? make('p', {}, finding.why) : null,
    evidence.length
      ? make(
          'ul.evidence',
          {},
          evidence.map((line) => make('li', {}, line)),
        )
      : null,
    nodes.length
      ? make(
          'p.row',
          {},
          nodes.slice(0, 8).map((node) => chip(node)),
          finding.more_nodes ? `and ${finding.more_nodes} more` : null,
        )
      : make('p.row', {}, finding.nodes.filter((node) => node.path).map((node) => fileLink(node.path))),
    make(
      'div.row',
      {},
      finding.check === 'duplicates' && nodes.length === 2
        ? make('a.button.primary', {href: `#/merge/${nodes[1].id}/${nodes[0].id}`}, 'Compare and merge')
        : null,
      finding.node_to_edit ? make('a.button', {href: `#/edit/${finding.node_to_edit}`}, 'Edit') : null,
      reviewed ? reviewAction(reviewed, finding.needs_reason) : null,
      finding.actions.map((action) =>
        make('button', {type: 'button', onclick: () => applyFix(action)}, actionLabel(action, titles, finding)),
      ),
      IN_GRAPH.includes(finding.check) && nodes.length
        ? make('a.button', {href: `#//${nodes[0].id}`}, 'Show in graph')
        : null,
      finding.check === 'communities' ? make('a.button', {href: '#/new?type=concept'}, 'New note') : null,
      finding.check === 'coverage' && finding.nodes.length
        ? make('a.button', {href: `#/new?file=${encodeURIComponent(finding.nodes[0].path)}`}, 'New note')
        : null,
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
    isFixable
      ? null
      : HINTS[finding.check]
        ? make('p.soft', {}, HINTS[finding.check])
        : make('p.soft', {}, withCode(shortened(finding.fix))),
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

function actionLabel({call: name, arguments: args}, titles, {evidence}) {
  if (name === 'records') return `Do not check sections in ${args.folder}, for everyone`
  const titleOf = (id) => titles.get(id) ?? id.slice(0, 8)
  if (name === 'delete') return `Delete “${titleOf(args.id)}”`
  if (name === 'update') {
    const field = Object.keys(args).find((key) => key !== 'id')
    if (field === 'references')
      return evidence.some((line) => line.startsWith('gone: '))
        ? `Remove missing files from “${titleOf(args.id)}”`
        : `Point “${titleOf(args.id)}” to the moved file`
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

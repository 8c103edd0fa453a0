// The decisions by date; curves connect each decision to those that it supersedes.

import {fill, formatDate, make, pluralize} from '/picture/elements.js'
import {filters, setFilters} from './address.js'
import {call} from './api.js'
import {copy} from './copying.js'
import {DECISION_STATUS, STATUS, nodeHref} from './nodes.js'

const PAGE_SIZE = 400
const LANE_WIDTH = 14
const MAX_LANES = 6
const MAX_LANES_NARROW = 2
const NARROW = 600 // pixels of the list below which it has fewer lanes
const SPOT = 7 // pixels of a decision's spot that lie beside the line
const SVG = 'http://www.w3.org/2000/svg'

export async function timeline() {
  const reply = await call('timeline')
  if (!reply.decisions.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No decisions yet'),
      make('p', {}, 'A decision records what was chosen, why, the alternatives and the consequences.'),
      make('a.button.primary', {href: '#/new?type=decision'}, 'New decision'),
    )
  const text = make('input', {
    type: 'search',
    value: filters().get('text') ?? '',
    placeholder: 'Filter by title',
    'aria-label': 'Filter decisions by title',
    oninput: () => {
      setFilters({text: text.value.trim()})
      update()
    },
  })
  const heading = make('h1')
  const inTexts = make('p.soft', {hidden: true})
  const hidden = new Set((filters().get('hide') ?? '').split(',').filter(Boolean)) // statuses
  let most = PAGE_SIZE
  const track = make('div.track')
  const more = make(
    'button',
    {
      type: 'button',
      onclick: () => {
        most *= 4
        update()
      },
    },
    'Show more',
  )
  const filterRow = make('div.row', {role: 'group', 'aria-label': 'Status'}, statusFilters())
  const element = make(
    'section.timeline',
    {},
    heading,
    make('div.row.filters', {}, text, filterRow, copyButton()),
    inTexts,
    track,
    more,
  )
  update()
  element.onShown = () => new ResizeObserver(() => drawCurves()).observe(element)
  return element

  function statusFilters() {
    const statuses = [...new Set(reply.decisions.map((decision) => decision.status))]
    return statuses.map((status) => {
      const checkbox = make('input', {
        type: 'checkbox',
        checked: !hidden.has(status),
        onchange: () => {
          checkbox.checked ? hidden.delete(status) : hidden.add(status)
          setFilters({hide: [...hidden].sort().join(',')})
          update()
        },
      })
      return make('label.check', {}, checkbox, make('span', {}, STATUS[status]))
    })
  }

  function update() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
    const passing = reply.decisions.filter(
      (decision) =>
        !hidden.has(decision.status) && words.every((word) => decision.title.toLowerCase().includes(word)),
    )
    const count = pluralize(reply.decisions.length, 'decision')
    heading.textContent = passing.length < reply.decisions.length ? `${passing.length} of ${count}` : count
    inTexts.hidden = !words.length
    const search = `#/search/${encodeURIComponent(text.value.trim())}?type=decision`
    fill(inTexts, make('a', {href: search}, `Search the texts of decisions for “${text.value.trim()}”`))
    let month = ''
    const list = make('ol.line')
    for (const decision of passing.slice(0, most)) {
      const decisionMonth = decision.created?.slice(0, 7) ?? 'undated'
      if (decisionMonth !== month)
        list.append(make('li.month', {}, decision.created ? formatMonth(decisionMonth) : 'Undated'))
      month = decisionMonth
      list.append(decisionItem(decision))
    }
    fill(track, passing.length ? list : nothing())
    more.hidden = passing.length <= most
    drawCurves()
  }

  function copyButton() {
    return make(
      'button.small',
      {
        type: 'button',
        title: 'The address keeps these filters, also as a bookmark',
        onclick: () => copy(location.href, 'the address of this list with its filters'),
      },
      'Copy link',
    )
  }

  function nothing() {
    const showAll = () => {
      hidden.clear()
      text.value = ''
      setFilters({hide: '', text: ''})
      fill(filterRow, statusFilters())
      update()
      text.focus()
    }
    return [
      make('p.soft', {}, 'Nothing matches these filters.'),
      make('button', {type: 'button', onclick: showAll}, 'Show all decisions'),
    ]
  }

  function decisionItem(decision) {
    const newer = reply.supersedes.filter(([, older]) => older === decision.id).map(([id]) => id)
    const older = reply.supersedes.filter(([id]) => id === decision.id).map(([, id]) => id)
    const titleLinks = (label, ids) =>
      ids.length
        ? make(
            'p.soft',
            {},
            label,
            ids.map((id, index) => [index ? ', ' : '', make('a', {href: nodeHref(id, titleOf(id))}, labelOf(reply.decisions.find((one) => one.id === id) ?? {title: id}))]),
          )
        : null
    return make(
      `li.item.${decision.status}`,
      {'data-id': decision.id},
      make('i.spot', {'aria-hidden': 'true'}),
      make('time', {dateTime: decision.created ?? ''}, formatDate(decision.created)),
      make(
        'div',
        {},
        make('a', {href: nodeHref(decision.id, decision.title)}, labelOf(decision)),
        decision.status === 'active' ? null : make(`span.pill.${decision.status}`, {}, STATUS[decision.status]),
        decision.decision_status && !['accepted', 'superseded'].includes(decision.decision_status)
          ? make('span.pill', {}, DECISION_STATUS[decision.decision_status] ?? decision.decision_status)
          : null,
        titleLinks('Superseded by ', newer),
        titleLinks('Supersedes ', older),
      ),
    )
  }

  function titleOf(id) {
    return reply.decisions.find((decision) => decision.id === id)?.title ?? id
  }

  /** Draw the curves in lanes beside the line, in the room that they need. */
  function drawCurves() {
    track.querySelector('svg')?.remove()
    const items = [...track.querySelectorAll('.item')]
    const rows = new Map(items.map((item, row) => [item.dataset.id, row]))
    const laneEnds = [] // the row in which the last curve of each lane ends
    const curves = reply.supersedes
      .filter((pair) => pair.every((id) => rows.has(id)))
      .map((pair) => pair.map((id) => rows.get(id)).sort((one, other) => one - other))
      .sort((one, other) => one[0] - other[0])
      .map(([first, last]) => {
        let lane = laneEnds.findIndex((end) => end < first)
        if (lane < 0) lane = laneEnds.length
        laneEnds[lane] = last
        return {first, last, lane}
      })
    const lanes = Math.min(laneEnds.length, track.clientWidth < NARROW ? MAX_LANES_NARROW : MAX_LANES)
    const width = lanes ? LANE_WIDTH * (lanes + 1) : SPOT
    track.style.paddingLeft = `${width}px`
    if (!lanes) return
    const heights = items.map((item) => item.offsetTop + 14)
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('aria-hidden', 'true')
    svg.setAttribute('width', String(width))
    svg.setAttribute('height', String(track.scrollHeight))
    for (const {first, last, lane} of curves) {
      const [top, bottom] = [heights[first], heights[last]]
      const right = width - SPOT
      const x = right - LANE_WIDTH * (1 + Math.min(lane, lanes - 1))
      const path = document.createElementNS(SVG, 'path')
      const bend = Math.min(12, (bottom - top) / 2)
      path.setAttribute(
        'd',
        `M${right} ${top}Q${x} ${top} ${x} ${top + bend}V${bottom - bend}Q${x} ${bottom} ${right} ${bottom}`,
      )
      svg.append(path)
    }
    track.prepend(svg)
  }
}

function labelOf({title, mark}) {
  return mark ? `${title} (${mark})` : title
}

function formatMonth(month) {
  return new Date(`${month}-15T00:00:00Z`).toLocaleDateString(undefined, {month: 'long', year: 'numeric'})
}

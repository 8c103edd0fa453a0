// The decisions in the order in which they were taken; curves lead from each to what it superseded.

import {counted, day, make} from '/picture/elements.js'
import {call} from './api.js'
import {STATUS, to} from './nodes.js'

const SHOWN = 400
const LANE = 14
const LANES = 6
const SVG = 'http://www.w3.org/2000/svg'

export async function timeline() {
  const told = await call('timeline')
  if (!told.decisions.length)
    return make(
      'section.state',
      {},
      make('h1', {}, 'No decisions yet'),
      make('p', {}, 'A decision records what was chosen, why, the alternatives and the consequences.'),
      make('a.button.primary', {href: '#/new'}, 'Write one'),
    )
  const made = make('section.timeline')
  const state = {most: SHOWN, hidden: new Set()}
  show()
  made.shown = () => new ResizeObserver(() => curves()).observe(made)
  return made

  function show() {
    const listed = told.decisions.filter((each) => !state.hidden.has(each.status)).slice(0, state.most)
    const statuses = [...new Set(told.decisions.map((each) => each.status))]
    const boxes = statuses.map((status) => {
      const box = make('input', {
        type: 'checkbox',
        checked: !state.hidden.has(status),
        onchange: () => {
          box.checked ? state.hidden.delete(status) : state.hidden.add(status)
          show()
          curves()
        },
      })
      return make('label.check', {}, box, make('span', {}, STATUS[status]))
    })
    let month = ''
    const list = make('ol.line')
    for (const each of listed) {
      const now = each.created.slice(0, 7)
      if (now !== month)
        list.append(
          make(
            'li.month',
            {},
            new Date(`${now}-15T00:00:00Z`).toLocaleDateString(undefined, {month: 'long', year: 'numeric'}),
          ),
        )
      month = now
      list.append(item(each))
    }
    made.replaceChildren(
      make('h1', {}, counted(told.decisions.length, 'decision')),
      make('div.row', {role: 'group', 'aria-label': 'Status'}, boxes),
      make('div.track', {}, list),
    )
    if (listed.length < told.decisions.length && listed.length === state.most)
      made.append(
        make(
          'button',
          {
            type: 'button',
            onclick: () => {
              state.most *= 4
              show()
              curves()
            },
          },
          'Show more',
        ),
      )
  }

  function item(each) {
    const newer = told.supersedes.filter(([, older]) => older === each.id).map(([id]) => id)
    const older = told.supersedes.filter(([id]) => id === each.id).map(([, id]) => id)
    const said = (words, ids) =>
      ids.length
        ? make(
            'p.soft',
            {},
            words,
            ids.map((id, number) => [number ? ', ' : '', make('a', {href: to(id)}, title(id))]),
          )
        : null
    return make(
      `li.item.${each.status}`,
      {'data-id': each.id},
      make('i.spot', {'aria-hidden': 'true'}),
      make('time', {dateTime: each.created}, day(each.created)),
      make(
        'div',
        {},
        make('a', {href: to(each.id)}, each.title),
        each.status === 'active' ? null : make(`span.pill.${each.status}`, {}, STATUS[each.status]),
        each.decision_status && !['accepted', 'superseded'].includes(each.decision_status)
          ? make('span.pill', {}, each.decision_status)
          : null,
        said('Superseded by ', newer),
        said('Supersedes ', older),
      ),
    )
  }

  function title(id) {
    return told.decisions.find((each) => each.id === id)?.title ?? id
  }

  function curves() {
    const track = made.querySelector('.track')
    if (!track) return
    track.querySelector('svg')?.remove()
    const spots = new Map([...track.querySelectorAll('.item')].map((each) => [each.dataset.id, each.offsetTop + 14]))
    const drawn = document.createElementNS(SVG, 'svg')
    drawn.setAttribute('aria-hidden', 'true')
    drawn.setAttribute('width', String(LANE * (LANES + 1)))
    drawn.setAttribute('height', String(track.scrollHeight))
    const ends = [] // how far down each lane is taken
    const pairs = told.supersedes
      .filter(([newer, older]) => spots.has(newer) && spots.has(older))
      .map(([newer, older]) => [spots.get(newer), spots.get(older)].sort((one, other) => one - other))
    for (const [top, bottom] of pairs.sort((one, other) => one[0] - other[0])) {
      let lane = ends.findIndex((end) => end < top)
      if (lane < 0) lane = ends.length
      ends[lane] = bottom
      const right = LANE * (LANES + 1) - 7
      const x = right - LANE * (1 + Math.min(lane, LANES - 1))
      const path = document.createElementNS(SVG, 'path')
      const bend = Math.min(12, (bottom - top) / 2)
      path.setAttribute(
        'd',
        `M${right} ${top}Q${x} ${top} ${x} ${top + bend}V${bottom - bend}Q${x} ${bottom} ${right} ${bottom}`,
      )
      drawn.append(path)
    }
    track.prepend(drawn)
  }
}

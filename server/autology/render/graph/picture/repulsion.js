// Repulsion between all nodes, by a grid: near ones push each other one by one, the others by cells.

const NEAREST = 1e-3

/**
 * Add to *forceX* and *forceY* what the others push each node; the push falls with the distance. Yields after each row of
 * the grid, so that no frame waits for thousands of nodes.
 */
export function* push(x, y, mass, forceX, forceY) {
  const grid = gridOf(x, y, mass)
  for (let row = 0; row < grid.side; row++) {
    for (let column = 0; column < grid.side; column++) {
      const cell = row * grid.side + column
      for (let at = grid.starts[cell]; at < grid.starts[cell + 1]; at++) {
        const node = grid.members[at]
        pushFromCells(grid, row, column, node, x, y, mass, forceX, forceY)
      }
    }
    yield
  }
}

function pushFromCells(grid, row, column, node, x, y, mass, forceX, forceY) {
  const {side, starts, members, cellX, cellY, cellMass} = grid
  let [sumX, sumY] = [0, 0]
  for (let otherRow = 0; otherRow < side; otherRow++) {
    for (let otherColumn = 0; otherColumn < side; otherColumn++) {
      const cell = otherRow * side + otherColumn
      if (!cellMass[cell]) continue
      if (Math.abs(otherRow - row) > 1 || Math.abs(otherColumn - column) > 1) {
        const dx = x[node] - cellX[cell]
        const dy = y[node] - cellY[cell]
        const push = cellMass[cell] / (dx * dx + dy * dy)
        sumX += dx * push
        sumY += dy * push
        continue
      }
      for (let at = starts[cell]; at < starts[cell + 1]; at++) {
        const other = members[at]
        if (other === node) continue
        let dx = x[node] - x[other]
        let dy = y[node] - y[other]
        if (dx * dx + dy * dy < NEAREST) {
          dx = 0.03 * (node > other ? 1 : -1)
          dy = 0.01 * (node > other ? 1 : -1)
        }
        const push = mass[other] / (dx * dx + dy * dy)
        sumX += dx * push
        sumY += dy * push
      }
    }
  }
  forceX[node] += sumX * mass[node]
  forceY[node] += sumY * mass[node]
}

/** Sort the nodes into a square grid: the members of cell c are at starts[c] … starts[c + 1] - 1. */
function gridOf(x, y, mass) {
  const size = x.length
  // So many cells that a node meets about as many of them as it meets nodes nearby.
  const side = Math.max(1, Math.floor(Math.sqrt(3 * Math.sqrt(size))))
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let node = 0; node < size; node++) {
    left = Math.min(left, x[node])
    right = Math.max(right, x[node])
    top = Math.min(top, y[node])
    bottom = Math.max(bottom, y[node])
  }
  const scale = side / (Math.max(right - left, bottom - top) + 1e-6)
  const clamp = (place) => Math.min(side - 1, Math.floor(place))
  const cellOf = new Uint32Array(size)
  const starts = new Uint32Array(side * side + 1)
  const cellX = new Float32Array(side * side)
  const cellY = new Float32Array(side * side)
  const cellMass = new Float32Array(side * side)
  for (let node = 0; node < size; node++) {
    const cell = clamp((y[node] - top) * scale) * side + clamp((x[node] - left) * scale)
    cellOf[node] = cell
    starts[cell + 1]++
    cellX[cell] += x[node] * mass[node]
    cellY[cell] += y[node] * mass[node]
    cellMass[cell] += mass[node]
  }
  for (let cell = 0; cell < side * side; cell++) {
    starts[cell + 1] += starts[cell]
    cellX[cell] /= cellMass[cell] || 1
    cellY[cell] /= cellMass[cell] || 1
  }
  const next = starts.slice()
  const members = new Uint32Array(size)
  for (let node = 0; node < size; node++) members[next[cellOf[node]]++] = node
  return {side, starts, members, cellX, cellY, cellMass}
}

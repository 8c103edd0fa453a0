// Keeping what is seen where it is when the graph changes.

import {drawnBeside} from './graph.js'

const APART = 2.4 // radians between the directions in which new nodes are placed
const MOST_NEW = 200 // nodes placed one by one; with more, the graph is another one
const BELOW = 2 // units under everything else, for what is near nothing

/**
 * Place *nodes* of *graph* where those of the graph *before* were, of which *wasDrawn* says whether it was drawn; new
 * ones next to what they are linked to, else in their group of *groups*, else below everything. Returns false if too many
 * are new, and the graph has to be laid out again.
 */
export function keepPlaces(graph, nodes, before, wasDrawn, groups) {
  const numbers = new Map(before.nodes.map((node, number) => [node.id, number]))
  const placed = new Set()
  const place = (node, x, y) => {
    graph.positions[2 * node] = x
    graph.positions[2 * node + 1] = y
    placed.add(node)
  }
  for (const node of nodes) {
    const old = numbers.get(graph.nodes[node].id)
    if (old !== undefined && wasDrawn(old)) place(node, before.positions[2 * old], before.positions[2 * old + 1])
  }
  const bottom = Math.max(0, ...[...placed].map((node) => graph.positions[2 * node + 1]))
  const fellows = new Map((groups ?? []).flatMap((group) => group.nodes.map((node) => [node, group.nodes])))
  let waiting = nodes.filter((node) => !placed.has(node))
  if (waiting.length > MOST_NEW) return false
  while (waiting.length) {
    const near = (node) => drawnBeside(graph, node).find((other) => placed.has(other))
    const inGroup = (node) => fellows.get(node)?.find((other) => placed.has(other))
    const next = waiting.find((node) => near(node) !== undefined) ?? waiting.find((node) => inGroup(node) !== undefined)
    const node = next ?? waiting[0]
    const anchor = near(node) ?? inGroup(node)
    const [x, y] =
      anchor === undefined ? [node % 7, bottom + BELOW] : [graph.positions[2 * anchor], graph.positions[2 * anchor + 1]]
    place(node, x + Math.cos(node * APART), y + Math.sin(node * APART))
    waiting = waiting.filter((other) => other !== node)
  }
  graph.boxes = (groups ?? []).map((group) => boxOf(graph, group, before.boxes))
  return true
}

/** Return the box that a group had before, or a new one, around all of its nodes. */
function boxOf(graph, {name, nodes}, boxes) {
  const box = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity, ...boxes.find((old) => old.name === name)}
  for (const node of nodes) {
    const [x, y] = [graph.positions[2 * node], graph.positions[2 * node + 1]]
    box.left = Math.min(box.left, x - 0.5)
    box.top = Math.min(box.top, y - 0.5)
    box.right = Math.max(box.right, x + 0.5)
    box.bottom = Math.max(box.bottom, y + 0.5)
  }
  return {...box, name, nodes}
}

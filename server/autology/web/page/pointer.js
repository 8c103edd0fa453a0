// Whether a button of the mouse is down: what is replaced between press and release loses the click.

let isPressed = false
const waiting = new Set()

addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(release), true) // the click comes first

/** Whether the reader presses a button, or another part of the page. */
export function isPointerPressed() {
  return isPressed
}

/** Call *action* once nothing is pressed; once only, however often it is asked for meanwhile. */
export function whenReleased(action) {
  if (isPressed) waiting.add(action)
  else action()
}

function release() {
  isPressed = false
  const actions = [...waiting]
  waiting.clear()
  for (const action of actions) action()
}

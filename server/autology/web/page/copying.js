// Copying to the clipboard, or showing what could not be copied.

import {notify} from './undo.js'

/** Copy *text*; *what* names it in the notification, else it is shown itself. */
export async function copy(text, what = text) {
  try {
    await navigator.clipboard.writeText(text)
    notify(`Copied: ${what}`)
  } catch {
    notify(`Copy it from here: ${text}`) // the browser allows no copying
  }
}

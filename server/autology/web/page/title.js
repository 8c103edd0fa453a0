// The title of the window, for tabs, bookmarks and the history.

let projectName = ''

/** Set the name of the project, which ends every title. */
export function setProjectName(name) {
  projectName = name
}

/** Name the window after what it shows. */
export function showTitle(title) {
  document.title = [title, projectName].filter(Boolean).join(' · ')
}

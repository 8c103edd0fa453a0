// Calls to the server: the token of the address is changed for a key once, and every call carries that.

const KEY = 'autology-key'

export class Refused extends Error {
  constructor(message, kind, status) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

/** Change the token in the address for the key; true if this page may ask now. */
export async function enter() {
  const token = new URLSearchParams(location.hash.slice(1)).get('enter')
  if (token) {
    history.replaceState(null, '', '#/')
    const told = await post('enter', {token})
    sessionStorage.setItem(KEY, told.key)
  }
  return Boolean(sessionStorage.getItem(KEY))
}

/** Return what the server answers to a call. Throws Refused, with words for whoever reads it. */
export async function call(name, given = {}) {
  return post(name, given)
}

async function post(name, given) {
  let answer
  try {
    answer = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: {'Content-Type': 'application/json', Authorization: `Bearer ${sessionStorage.getItem(KEY) || ''}`},
      body: JSON.stringify(given),
    })
  } catch {
    throw new Refused(
      'The page is closed: the terminal that served it has ended. Start `autology web` again.',
      'Closed',
      0,
    )
  }
  const told = await answer.json()
  if (!answer.ok) throw new Refused(capitalized(told.error.message), told.error.kind, answer.status)
  return told
}

function capitalized(message) {
  return message.charAt(0).toUpperCase() + message.slice(1)
}

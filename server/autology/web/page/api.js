// Calls to the server. The one-time token in the address is exchanged for a session key, which every call sends.

const KEY = 'autology-key'

export class CallError extends Error {
  constructor(message, kind, status) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

/** Exchange the token in the address for the session key; return whether this page has a key. */
export async function authenticate() {
  const token = new URLSearchParams(location.hash.slice(1)).get('enter')
  if (token) {
    history.replaceState(null, '', '#/')
    const reply = await post('enter', {token})
    sessionStorage.setItem(KEY, reply.key)
  }
  return Boolean(sessionStorage.getItem(KEY))
}

/** Call the server and return its reply. Throws CallError with a message for the user. */
export async function call(name, args = {}) {
  return post(name, args)
}

async function post(name, args) {
  let response
  try {
    response = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: {'Content-Type': 'application/json', Authorization: `Bearer ${sessionStorage.getItem(KEY) || ''}`},
      body: JSON.stringify(args),
    })
  } catch {
    throw new CallError(
      'The server has stopped because its terminal was closed. Run `autology web` again.',
      'Closed',
      0,
    )
  }
  const reply = await response.json()
  if (!response.ok) throw new CallError(capitalize(reply.error.message), reply.error.kind, response.status)
  return reply
}

function capitalize(message) {
  return message.charAt(0).toUpperCase() + message.slice(1)
}

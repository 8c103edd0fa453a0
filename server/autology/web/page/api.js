// Calls to the server. The one-time token in the address is exchanged for a key, which every call sends in a header. The
// browser keeps the key for this origin alone, port included, so that new tabs and bookmarks open while the server runs.

const KEY = 'autology-key'

export class CallError extends Error {
  constructor(message, kind, status) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

/** Exchange the token in the address for the key, unless this browser has one; return whether it has. */
export async function authenticate() {
  const token = new URLSearchParams(location.hash.slice(1)).get('enter')
  if (token) {
    history.replaceState(null, '', '#/')
    try {
      const reply = await post('enter', {token})
      localStorage.setItem(KEY, reply.key)
    } catch (error) {
      if (!(await hasValidKey())) throw error // the link was used before, perhaps by this browser
    }
  }
  return Boolean(localStorage.getItem(KEY))
}

async function hasValidKey() {
  if (!localStorage.getItem(KEY)) return false
  try {
    await post('overview', {})
    return true
  } catch {
    return false
  }
}

/** Call the server and return its reply. Throws CallError with a message for the user. */
export async function call(name, args = {}) {
  return post(name, args)
}

/** Call the server and yield each event of its reply, until the connection ends. */
export async function* openStream(name, args) {
  const response = await request(name, args)
  if (!response.ok || !response.body) throw new CallError('The server sends no changes.', 'Refused', response.status)
  const lines = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const {done, value} = await lines.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop()
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6))
  }
}

async function post(name, args) {
  const response = await request(name, args)
  const reply = await response.json()
  if (response.ok) return reply
  if (response.status === 401 && name !== 'enter') localStorage.removeItem(KEY) // the key of a server that ended
  throw new CallError(capitalize(reply.error.message), reply.error.kind, response.status)
}

async function request(name, args) {
  try {
    return await fetch(`/api/${name}`, {
      method: 'POST',
      headers: {'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem(KEY) || ''}`},
      body: JSON.stringify(args),
    })
  } catch {
    throw new CallError(
      'The server has stopped because its terminal was closed. Run `autology web` again.',
      'Closed',
      0,
    )
  }
}

function capitalize(message) {
  return message.charAt(0).toUpperCase() + message.slice(1)
}

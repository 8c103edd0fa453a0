// What changes in the project while the page is open. One tab of this origin listens and tells the others, because a
// browser opens only six connections to a server; where the stream breaks, the page asks once a second instead.

import {call, openStream} from './api.js'

const CHANNEL = 'autology-live'
const POLL_INTERVAL = 1000 // milliseconds
const RETRY_STREAM = 30 // polls before the stream is tried again

let lastNumber = null
let onEvents = () => {}
let onConnection = () => {}

/** Start listening: *events* gets each batch of changes, *connection* whether the server answers. */
export function listen(events, connection) {
  onEvents = events
  onConnection = connection
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({data}) => receive(data)
  const lead = () => follow((batch) => channel.postMessage(batch))
  if (navigator.locks) navigator.locks.request(CHANNEL, lead)
  else lead()
}

function receive({number, events, isConnected}) {
  if (isConnected !== undefined) onConnection(isConnected)
  if (number === undefined) return
  const fresh = events.filter((event) => lastNumber === null || event.number > lastNumber)
  lastNumber = number
  if (fresh.length) onEvents(fresh)
}

/** Listen for ever; *share* passes each batch on to the other tabs. */
async function follow(share) {
  const deliver = (batch) => {
    receive(batch)
    share(batch)
  }
  for (;;) {
    try {
      for await (const batch of openStream('live', lastNumber === null ? {} : {after: lastNumber}))
        deliver({...batch, isConnected: true})
    } catch {
      // polling tells whether the server still answers
    }
    for (let poll = 0; poll < RETRY_STREAM; poll++) {
      try {
        deliver({
          ...(await call('changes', lastNumber === null ? {} : {after: lastNumber})),
          isConnected: true,
        })
      } catch (error) {
        if (!error.status) deliver({isConnected: false})
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
    }
  }
}

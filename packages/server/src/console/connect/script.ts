import { hash } from 'node:crypto'

/**
 * Asks every two seconds whether an agent has connected, and then opens its page. Without the script, a link does that.
 */
export const CONNECT_SCRIPT = `'use strict'
;(() => {
  const waiting = document.getElementById('waiting')
  if (!waiting) return
  const look = async () => {
    if (document.visibilityState === 'visible') {
      try {
        const answer = await fetch(waiting.dataset.status, { headers: { accept: 'application/json' } })
        const { location } = await answer.json()
        if (location) return window.location.assign(location)
      } catch {
        // The server may be restarting, so try again.
      }
    }
    setTimeout(look, 2000)
  }
  setTimeout(look, 2000)
})()
`

export const CONNECT_SCRIPT_PATH = `/assets/connect.js?v=${hash('sha256', CONNECT_SCRIPT, 'base64url').slice(0, 12)}`

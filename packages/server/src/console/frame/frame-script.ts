import { hash } from 'node:crypto'

/**
 * Runs on every page: reports the browser's time zone to the server, lets "/" focus the search, and makes the copy
 * buttons work. Without the script, times are in the server's zone, and the owner copies text by hand.
 */
export const FRAME_SCRIPT = `'use strict'
;(() => {
  const root = document.documentElement
  root.classList.add('with-script')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const known = document.cookie.split('; ').includes('pdpp_zone_seen=' + zone)
  if (zone && !known) {
    document.cookie = 'pdpp_zone_seen=' + zone + '; Path=/; Max-Age=31536000; SameSite=Lax' + (location.protocol === 'https:' ? '; Secure' : '')
  }
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.closest('input, textarea, select, [contenteditable]')) return
    const field = [...document.querySelectorAll('input[type="search"]')].find((one) => one.offsetParent !== null)
    if (!field) return
    event.preventDefault()
    field.focus()
  })
  addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-copy]')
    if (!button) return
    const text = document.getElementById(button.dataset.copy)
    const label = button.innerHTML
    try {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(text)
      button.textContent = 'Selected: copy it'
    }
    setTimeout(() => { button.innerHTML = label }, 2500)
  })
})()
`

export const FRAME_SCRIPT_PATH = `/assets/frame.js?v=${hash('sha256', FRAME_SCRIPT, 'base64url').slice(0, 12)}`

import { html } from 'hono/html'
import type { Markup } from './untrusted-text.ts'

/** Confirmations after a form, by the value of `done` in the address. Other values show nothing. */
const NOTICES: Readonly<Record<string, string>> = {
  paused: 'Paused. Its requests are refused until you resume it.',
  resumed: 'Resumed. It works again, as before.',
  revoked: 'Revoked. Its requests are refused from now on.',
  narrowed: 'Narrowed. The agent keeps working, with less.',
  subscription_stopped: 'Stopped. The agent is told of nothing there any more, and cannot start it again.',
  unlisted: 'It may no longer ask for full access.',
  ended: 'All its access is revoked.',
  checking: 'The log is being checked again, from the first entry.',
  retention: 'Saved.',
  password: 'Your password is set. Every other browser is signed out.',
  session_ended: 'That browser is signed out.',
  discarded: 'Discarded. Nothing of it is left.',
  files_removed: 'The files are removed. The imported records stay.',
  rebuilding: 'The search index is being rebuilt. Searches still work, but may miss records until it is done.',
}

export function notice(done: string | undefined): Markup | string {
  const text = done === undefined || !Object.hasOwn(NOTICES, done) ? undefined : NOTICES[done]
  return text === undefined ? '' : html`<div class="note" role="status"><p>${text}</p></div>`
}

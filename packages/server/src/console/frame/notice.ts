import { html } from 'hono/html'
import type { Markup } from './untrusted-text.ts'

/** What a form just did, told on the page it leads to. Only these can be told, whatever an address says. */
const NOTICES: Readonly<Record<string, string>> = {
  paused: 'Paused. It is refused from now on, until you resume it.',
  resumed: 'Resumed. It works again, as before.',
  revoked: 'Revoked. It is refused from now on, for good.',
  narrowed: 'Narrowed. The agent keeps working, with less.',
  subscription_stopped: 'Stopped. The agent is told of nothing there any more, and cannot start it again.',
  unlisted: 'It may no longer ask for full access.',
  ended: 'Everything that it held is revoked.',
  checking: 'The chain is checked again, from the first receipt.',
  retention: 'Saved.',
  password: 'Your password is set. Every other browser is signed out.',
  session_ended: 'That browser is signed out.',
  discarded: 'Discarded. Nothing of it is left.',
  files_removed: 'The files are removed. What was taken in stays.',
  rebuilding: 'The search index is built again. Searches go on meanwhile and may miss records until it is done.',
}

export function notice(done: string | undefined): Markup | string {
  const text = done === undefined || !Object.hasOwn(NOTICES, done) ? undefined : NOTICES[done]
  return text === undefined ? '' : html`<div class="note" role="status"><p>${text}</p></div>`
}

import { html } from 'hono/html'
import { icon } from './icons.ts'
import type { Markup } from './untrusted-text.ts'

/** Confirmations after a form, by the value of `done` in the address. Other values show no confirmation. */
const NOTICES: Readonly<Record<string, string>> = {
  paused: 'Paused. It gets nothing until you resume it.',
  resumed: 'Resumed. It works again as before.',
  revoked: "Access revoked. It can't read anything any more.",
  part_paused: 'Paused. It gets nothing from this source until you resume it.',
  part_revoked: "Access revoked. It can't read this source any more.",
  all_paused: 'All agents are paused. They get nothing until you resume them.',
  all_resumed: 'All agents are resumed. They work again as before.',
  widened: 'Access widened. The agent can read it with its next call.',
  widened_paused: 'Access widened. The agent is paused and gets nothing until you resume it.',
  widened_part_paused:
    'Access widened. What is paused stays paused: the agent gets nothing from it until you resume it.',
  wish_denied: "Denied. It stays refused, and you won't be asked about this again.",
  wish_silenced: "Silenced. You won't be asked about this again. It stays refused.",
  wish_forgotten: 'You are asked again if the agent tries again.',
  narrowed: 'Access reduced. The agent keeps working, with less.',
  subscription_stopped: "Stopped. The agent can't resume it, but may ask for another one while it has access.",
  unlisted: 'It may no longer ask for full access.',
  ended: 'All its access is revoked.',
  checking: 'The log is being checked again, from the first entry.',
  retention: 'Saved.',
  password: 'Your password is set. Every other browser is signed out.',
  session_ended: 'That browser is signed out.',
  demo_removed: 'The demo data is gone. What you add from now on is your own.',
  appearance: 'Saved. The colours are those of this browser.',
  discarded: 'Discarded. Nothing was kept.',
  files_removed: 'The files are removed. The imported items stay.',
  rebuilding: 'Rebuilding the search index. Until it is done, searches may miss items.',
}

export function notice(done: string | undefined): Markup | string {
  const text = done === undefined || !Object.hasOwn(NOTICES, done) ? undefined : NOTICES[done]
  return text === undefined ? '' : html`<div class="note" role="status"><p>${icon('check')} ${text}</p></div>`
}

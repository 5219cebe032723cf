import { html } from 'hono/html'
import { accessPath } from '../../grants/summary/agent-access.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** The agent whose view the owner looks at. */
export interface ViewedAs {
  readonly id: string
  readonly kind: 'grant' | 'package'
  readonly name: string
}

export function viewedAsBanner(as: ViewedAs | undefined): Markup | string {
  if (as === undefined) return ''
  return html`<div class="note"><div class="banner"><p>You see exactly what <strong>${untrustedText(as.name, 60)}</strong> can see. It is you who looks, so no receipt is written.</p>
<a href="${accessPath(as)}">Back to its access</a></div></div>`
}

/** The path of a record's page, in the same view. */
export function recordPath(id: string, as: ViewedAs | undefined): string {
  return `/r/${encodeURIComponent(id)}${as === undefined ? '' : `?as=${encodeURIComponent(as.id)}`}`
}

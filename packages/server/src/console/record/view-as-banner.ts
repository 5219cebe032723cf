import { html } from 'hono/html'
import { accessPath } from '../../grants/summary/agent-access.ts'
import { icon } from '../frame/icons.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** The agent whose view the owner is looking at. */
export interface ViewedAs {
  readonly id: string
  readonly kind: 'grant' | 'package'
  readonly name: string
}

export function viewedAsBanner(as: ViewedAs | undefined): Markup | string {
  if (as === undefined) return ''
  return html`<div class="note agent viewas"><div class="banner"><p>${icon('eye')} <strong>Looking as ${untrustedText(as.name, 60)}.</strong> What it can't read isn't here. What you look at isn't logged.</p>
<a href="${accessPath(as)}">Leave</a></div></div>`
}

/** The path of a record's page, in the same view. */
export function recordPath(id: string, as: ViewedAs | undefined): string {
  return `/r/${encodeURIComponent(id)}${as === undefined ? '' : `?as=${encodeURIComponent(as.id)}`}`
}

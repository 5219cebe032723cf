import type { ErrorCode, PdppError } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { Page } from './layout.ts'
import { preferences } from './preferences.ts'
import { untrustedText } from './untrusted-text.ts'

const TITLES: Record<number, string> = {
  403: "That isn't allowed",
  404: "This page doesn't exist",
  405: "That doesn't work here",
  421: 'This is another server',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not right now',
}

const TITLES_BY_CODE: Partial<Record<ErrorCode, string>> = {
  approval_conflict: 'This is decided already',
  archive_running: 'One at a time',
  grant_expired: 'There is nothing to see',
  grant_paused: 'There is nothing to see',
  grant_revoked: 'There is nothing to see',
  package_revoked: 'There is nothing to see',
}

/** An error for people. A message can quote the request, so it is shown as untrusted text. */
export function errorPage(error: PdppError, requestId: string): Page {
  const title = TITLES_BY_CODE[error.code] ?? TITLES[error.status] ?? "That didn't work"
  const body = html`<section class="panel">
<h1>${title}</h1>
<p>${untrustedText(error.message, 600)}</p>
<p class="quiet">${untrustedText(error.nextStepOn('console').replaceAll('`pdpp ', `\`${preferences().command} `), 600)}</p>
<p class="answers"><a class="button" href="/">Go home</a><a href="/browse">Search for it</a></p>
<p class="small quiet">Status ${error.status}, <code>${error.code}</code>, request <code>${requestId}</code></p>
</section>`
  return { title, body, narrow: true }
}

import type { WireError } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { Page } from './layout.ts'
import { untrustedText } from './untrusted-text.ts'

const TITLES: Record<number, string> = {
  403: 'That is not allowed',
  404: 'There is nothing here',
  405: 'That does not work here',
  421: 'This is not that server',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not right now',
}

const TITLES_BY_CODE: Partial<Record<WireError['code'], string>> = {
  approval_conflict: 'This is decided already',
  archive_running: 'One at a time',
  grant_expired: 'There is nothing to see',
  grant_paused: 'There is nothing to see',
  grant_revoked: 'There is nothing to see',
  package_revoked: 'There is nothing to see',
}

/** An error page for people. Messages can quote the request, so they are shown as untrusted text. */
export function errorPage(error: WireError): Page {
  // Next steps that name an HTTP route are for programs, so the page leaves them out.
  const nextStep = /\b(GET|POST|PUT|DELETE) \//.test(error.next_step) ? '' : error.next_step
  const title = TITLES_BY_CODE[error.code] ?? TITLES[error.http_status] ?? 'That did not work'
  const body = html`<section class="panel">
<h1>${title}</h1>
<p>${untrustedText(error.message, 600)}</p>
${nextStep === '' ? '' : html`<p class="quiet">${untrustedText(nextStep, 600)}</p>`}
<p><a href="/">Go to the start page</a></p>
<p class="small quiet">Status ${error.http_status}, <code>${error.code}</code>, request <code>${error.request_id}</code></p>
</section>`
  return { title, body, narrow: true }
}

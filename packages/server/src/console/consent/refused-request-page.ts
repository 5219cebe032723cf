import { html } from 'hono/html'
import { isLoopbackRedirect } from '../../clients/redirect-uri.ts'
import { returnQuery } from '../../http/request/return-path.ts'
import type { RefusedRequest } from '../../routes/oauth/refused-request.ts'
import type { Page } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/**
 * Shown for an invalid request of an application without access. The browser is not redirected automatically, because
 * anybody could then use this server to redirect to any address (RFC 9700 section 4.11.2).
 */
export function refusedRequestPage({ error, description, target, isOwner, path }: RefusedRequest): Page {
  const where = placeOf(new URL(target))
  const body = html`<section class="panel">
<h1>This request cannot be used</h1>
<p>An application without access here sent you, and this server cannot accept its request. Nothing was shared.</p>
<dl class="facts"><div><dt>The answer would go to</dt><dd>${where}</dd></div>
<div><dt>What is wrong</dt><dd>${untrustedText(description || error, 300)} <span class="quiet">(<code>${untrustedText(error, 60)}</code>)</span></dd></div></dl>
${
  isOwner
    ? html`<p>Go back only if you came from there. The application then learns what was wrong.</p>
<p class="answers"><a class="button plain" href="${target}" rel="noreferrer">Go back to the application</a> <a href="/">Go to the start page</a></p>`
    : html`<p>Close this page. If this server is yours and you know the application, <a href="/owner/sign-in${returnQuery(path)}">sign in</a> to go back to it.</p>`
}
</section>`
  return { title: 'This request cannot be used', body, narrow: true }
}

function placeOf(url: URL): Markup {
  if (isLoopbackRedirect(url))
    return html`a program on this computer <span class="quiet">(${untrustedText(url.host, 60)})</span>`
  if (url.protocol === 'https:') return html`<strong>${untrustedText(url.host)}</strong>`
  return html`the app that opens <code>${untrustedText(`${url.protocol}//${url.host}`, 100)}</code>`
}

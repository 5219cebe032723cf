import { html } from 'hono/html'
import type { ConsentRequest } from '../../authorization/consent/consent-service.ts'
import { isLoopbackRedirect } from '../../clients/redirect-uri.ts'
import { claimedAddress } from '../../clients/unverified-client.ts'
import { moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** Names the client. Shows a proved host if there is one, and never a name, because anybody can choose a name. */
export function party(request: ConsentRequest): Markup {
  const host = provedHost(request)
  if (host !== undefined) return html`<strong>${untrustedText(host)}</strong>`
  const { redirectUri, kind } = request
  if (redirectUri === undefined) return html`${kind === 'device' ? 'A device' : 'A command'}`
  return isLoopbackRedirect(redirectUri) ? html`A program on this computer` : html`An app on this device`
}

/** The host of the client's document, or of its https redirect URI, which is the only one that gets the answer. */
function provedHost({ client, redirectUri }: ConsentRequest): string | undefined {
  if (client.kind === 'document') return new URL(client.clientId).host
  return redirectUri?.startsWith('https:') ? new URL(redirectUri).host : undefined
}

export function identity(request: ConsentRequest): Markup {
  const { client, clientName, asked } = request
  const name = client.metadata.client_name ?? clientName
  const claimed = client.kind === 'unverified' ? new URL(claimedAddress(client.clientId)).host : undefined
  const host = provedHost(request)
  return html`<div class="asker">${agentTile(name ?? claimed ?? host ?? '?', 'big')}<dl class="who">
${isVerified(request) ? html`<div><dt class="hidden-label">Its address</dt><dd><span class="badge good">${icon('shield')}<span>${untrustedText(host!, 80)}, verified</span></span></dd></div>` : ''}
${claimed === undefined ? '' : html`<div><dt>It says it belongs to</dt><dd>${untrustedText(claimed)} <span class="badge warn">unverified</span></dd></div>`}
${name === undefined || claimed !== undefined ? '' : html`<div><dt>It calls itself</dt><dd>“${untrustedText(name, 100)}”${isVerified(request) ? '' : html` <span class="badge warn">unverified</span>`}</dd></div>`}
${goesToVerifiedHost(request) ? '' : html`<div><dt>Answers will be sent to</dt><dd>${target(request)}</dd></div>`}
${asked === undefined ? '' : html`<div><dt>Asked</dt><dd>${moment(asked.at)}, from the address ${untrustedText(asked.from, 60)}</dd></div>`}
</dl></div>`
}

/** Warnings that the owner should read before answering. */
export function cautions(request: ConsentRequest): Markup {
  return html`${request.kind === 'browser' ? '' : startedByYou(request.userCode)}
${warnings(request).map((text) => html`<p class="note warn small">${text}</p>`)}`
}

/** True if the answer goes to the verified address that the page already shows. */
const goesToVerifiedHost = (request: ConsentRequest): boolean =>
  isVerified(request) && request.redirectUri !== undefined && new URL(request.redirectUri).host === provedHost(request)

/** True if the document with the name was fetched from the host that the page shows. Any other name is only a claim. */
function isVerified({ client }: ConsentRequest): boolean {
  return client.kind === 'document'
}

function target({ redirectUri, kind }: ConsentRequest): Markup {
  if (redirectUri === undefined)
    return html`${kind === 'device' ? 'the device that shows your code' : 'the command that gave you this link'}`
  const url = new URL(redirectUri)
  if (isLoopbackRedirect(url))
    return html`a program on this computer <span class="quiet">(${untrustedText(url.host, 60)})</span>`
  if (url.protocol === 'https:') return html`<strong>${untrustedText(url.host)}</strong>`
  return html`the app that opens <code>${untrustedText(`${url.protocol}//${url.host}`, 100)}</code> on this device`
}

function startedByYou(userCode: string | undefined): Markup {
  const code = userCode === undefined ? undefined : userCode.replace(/^(.{4})(.+)$/, '$1-$2')
  return html`<div class="note warn">
${code === undefined ? '' : html`<p>Does your device show this code? <strong class="code">${untrustedText(code, 20)}</strong></p>`}
<p><strong>Go on only if you started this yourself, a moment ago.</strong> If somebody sent you a link or a code, or called you about it, deny the request: they would read your data.</p>
</div>`
}

function warnings(request: ConsentRequest): string[] {
  const { client, redirectUri } = request
  const texts: string[] = []
  const host = provedHost(request)
  if (host?.split('.').some((label) => label.startsWith('xn--')))
    texts.push('This address is written in letters that can look like others. Compare it with the one you expect.')
  if (redirectUri === undefined) return texts
  if (client.kind === 'unverified')
    texts.push(
      `Nobody could check where it belongs: this server ${client.metadata.not_checked}. You allow only this program. If one that can be checked asks later, you are asked again.`,
    )
  if (isLoopbackRedirect(redirectUri))
    texts.push('Any program on this computer can ask like this. Go on only if you just started it.')
  else if (client.kind === 'document' && new URL(redirectUri).host !== host)
    texts.push('The answer goes to a different address from the one that asks.')
  else if (!redirectUri.startsWith('https:'))
    texts.push('Which app opens this address is up to your device. Go on only if you just started it.')
  return texts
}

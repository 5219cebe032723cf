import type { State } from '@pdpp/mcp-server/doctor'
import {
  type Folders,
  HOSTED_NAMES,
  HOSTS,
  type Host,
  type HostName,
  hostedEntry,
  snippet,
} from '@pdpp/mcp-server/hosts'
import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { SelfTestResult } from '../../upkeep/self-test.ts'
import { COPY_SCRIPT_PATH } from '../frame/copy-script.ts'
import { ago } from '../frame/dates.ts'
import { form, type Page } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import type { AddressScope } from './address-scope.ts'

/** Name of this server in the settings of assistants. */
const NAME = 'pdpp'

export interface ConnectPage {
  readonly pageSession: PageSession
  readonly origin: string
  readonly reach: AddressScope
  readonly result: SelfTestResult | undefined
}

/** Shows one way to connect for each assistant, then a test, then advanced options. */
export function connectPage({ pageSession, origin, reach, result }: ConnectPage): Page {
  const address = `${origin}/mcp`
  const out = HOSTED_NAMES.map((name) => HOSTS[name]).filter((client) => isOut(client, reach))
  const body = html`<h1>Connect an assistant</h1>
<p class="quiet">Give it this address. It asks you to sign in and to choose what it may read; there is nothing else to set up, and no token to copy.</p>
${copyable('address', address, 'the address')}
${reach === 'anywhere' ? '' : reachNote(reach, out)}
<section class="stack"><h2>Choose your assistant</h2>
<ul class="cards wide">${HOSTED_NAMES.map((name) => card(name, origin, reach))}</ul></section>
${testPanel(pageSession, origin, result)}
${advanced(origin, address)}`
  return { title: 'Connect', body, pageSession, here: '/connect', script: COPY_SCRIPT_PATH }
}

const isOut = ({ reachesLocal }: Host, reach: AddressScope): boolean => reach !== 'anywhere' && !reachesLocal

function reachNote(reach: AddressScope, out: readonly Host[]): Markup {
  const names = out.map(({ title }) => title.replace(/ \(.*/, '')).join(' and ')
  return html`<div class="note"><p><strong>This address works ${reach === 'computer' ? 'on this computer' : 'in your own network'} only.</strong> ${names} call from computers of their own and cannot reach it; programs on ${reach === 'computer' ? 'this computer' : 'your network'} can.</p>
<p class="small">To use those as well, put a proxy or tunnel with https in front of the server, set <code>PDPP_PUBLIC_URL</code> to its address, such as <code>https<span>://</span>data.example.org</code>, and start the server again.</p></div>`
}

/** Paths as people write them. Only `pdpp setup` knows the real folders of the user's system. */
const FOLDERS: Folders = {
  here: '.',
  claudeDesktop: '',
  codex: '~/.codex/config.toml',
  cursor: '~/.cursor/mcp.json',
  vscode: '',
  gemini: '~/.gemini/settings.json',
}

function card(id: HostName, origin: string, reach: AddressScope): Markup {
  const client = HOSTS[id]
  const { title } = client
  const entry = hostedEntry(origin)
  const command = client.command?.(NAME, entry)
  const file = command === undefined ? client.file?.(FOLDERS, entry) : undefined
  const steps = client.steps?.(NAME, entry)
  const after = client.after(NAME, entry)
  const out = isOut(client, reach)
  return html`<li class="card" id="${id}"><header><h3>${title} ${out ? html`<span class="badge warn">cannot reach this address</span>` : ''}</h3></header>
${out ? html`<p class="small quiet">It needs an https address that works from anywhere, see above. Then:</p>` : ''}
${command === undefined ? '' : html`<p class="small">In a terminal:</p>${copyable(`copy-${id}`, command, `the command for ${title}`)}`}
${file === undefined ? '' : html`<p class="small">In <code>${file.path}</code>:</p>${copyable(`copy-${id}`, snippet(file, NAME), `the settings for ${title}`)}`}
${steps === undefined ? '' : html`<ol class="steps small">${steps.map((step) => html`<li>${untrustedText(step, 300)}</li>`)}</ol>`}
<p class="small quiet">${after}</p></li>`
}

function copyable(id: string, text: string, what: string): Markup {
  return html`<div class="copy"><pre id="${id}">${untrustedText(text, 2000)}</pre><button type="button" class="button plain small" data-copy="${id}">Copy<span class="hidden-label"> ${what}</span></button></div>`
}

function testPanel(pageSession: PageSession, origin: string, result: SelfTestResult | undefined): Markup {
  const first = result?.found.find(({ state }) => state === 'broken')
  const says =
    first === undefined
      ? html`<div class="note" role="status"><p>Everything works, as far as this server can test.</p></div>`
      : html`<div class="note warn" role="alert"><p>First broken: <strong>${first.name}</strong>: ${untrustedText(first.says, 300)}</p><p class="small">${first.fix ?? ''}</p></div>`
  return html`<section class="panel" id="test"><h2>Does it work?</h2>
<p class="quiet small">The server calls itself at <code>${untrustedText(origin, 200)}</code>, as an assistant would, and shows the first thing that is broken. <code>pdpp doctor</code> does the same from another computer.</p>
${form(pageSession, { action: '/connect/test', purpose: 'self-test' }, html`<button class="button plain">Test the connection</button>`)}
${
  result === undefined
    ? ''
    : html`${says}<ul class="checks small">${result.found.map(
        ({ name, state, says: text, fix }) =>
          html`<li>${stateBadge(state)}<span><strong>${name}</strong>: ${untrustedText(text, 300)}${fix === undefined || state === 'broken' ? '' : html`<br><span class="quiet">${fix}</span>`}</span></li>`,
      )}</ul><p class="small quiet">Tested ${ago(result.at, Date.now())}.</p>`
}
</section>`
}

function stateBadge(state: State): Markup {
  const texts = { ok: 'works', warning: 'doubtful', broken: 'broken', skipped: 'not tried' }
  const kinds = { ok: 'good', warning: 'warn', broken: 'warn', skipped: '' }
  return html`<span class="badge ${kinds[state]}">${texts[state]}</span>`
}

function advanced(origin: string, address: string): Markup {
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${untrustedText(value, 500)}</dd></div>`
  return html`<details class="panel"><summary>Advanced</summary><div class="stack">
<p class="small quiet">For programs of your own. A grant and its token are made with <code>pdpp owner grant create</code>; what each route takes is in docs/api.md.</p>
<dl class="handles">
${row('HTTP, with a token', `GET ${origin}/v1/schema`)}
${row('MCP, Streamable HTTP', address)}
${row('MCP over stdio, for hosts that start a program', `pdpp-mcp-server --provider-url ${origin}`)}
${row('What this server is (RFC 9728)', `${origin}/.well-known/oauth-protected-resource`)}
${row('Its authorization server (RFC 8414)', `${origin}/.well-known/oauth-authorization-server`)}
</dl></div></details>`
}

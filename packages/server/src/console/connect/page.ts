import { type Folders, HOST_NAMES, HOSTS, type Host, type HostName, hostedEntry, snippet } from '@pdpp/mcp-server/hosts'
import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { SelfTestResult } from '../../upkeep/self-test.ts'
import { counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import type { AddressScope } from './address-scope.ts'
import { CONNECT_SCRIPT_PATH } from './script.ts'
import { testPanel } from './test-panel.ts'

/** Name of this server in the settings of agents. */
const NAME = 'pdpp'

const KNOWN_HOSTS = HOST_NAMES.filter((name) => name !== 'other')

/** The agents in the order in which they are shown. */
const GROUPS: readonly (readonly [string, readonly HostName[]])[] = [
  ['On this computer', KNOWN_HOSTS.filter((name) => HOSTS[name].startsPrograms)],
  ['Web and phone', KNOWN_HOSTS.filter((name) => !HOSTS[name].startsPrograms)],
  ['By hand', ['other']],
]

export interface ConnectPage {
  readonly pageSession: PageSession
  readonly origin: string
  readonly reach: AddressScope
  readonly result: SelfTestResult | undefined
  readonly chosen: HostName
  /** The moment since which new agents count as just connected. */
  readonly since: number
}

/** The owner picks an agent, does its one step, and sees when it has connected. */
export function connectPage({ pageSession, origin, reach, result, chosen, since }: ConnectPage): Page {
  const address = `${origin}/mcp`
  const body = html`<p class="small quiet crumbs"><a href="/agents">All agents</a></p>
<header class="stack tight"><h1>Connect an agent</h1><p class="quiet">Pick one. It opens your browser, and you decide there what it may read.</p></header>
<div class="cols"><div class="stack">
${GROUPS.map(([title, names]) => html`<section class="stack tight"><h2 class="small">${title}</h2><ul class="clients">${names.map((name) => choice(name, name === chosen))}</ul></section>`)}
<section class="panel" aria-labelledby="way" id="${chosen}"><h2 id="way">${HOSTS[chosen].title}</h2>
${way(chosen, origin, reach)}
<div class="waiting" id="waiting" data-since="${since}" data-status="/agents/connect/status?since=${since}"><span class="pulse" aria-hidden="true"></span><p role="status">Waiting for ${HOSTS[chosen].title}… This page tells you when it has connected. <a class="without-script-only" href="/agents/connected?since=${since}">Look again</a></p></div>
</section></div>
<aside class="stack">${reach === 'anywhere' ? '' : reachPanel(reach)}
${testPanel(pageSession, origin, result)}
${forPrograms(origin, address)}</aside></div>`
  return { title: 'Connect an agent', body, pageSession, here: '/agents', script: CONNECT_SCRIPT_PATH }
}

const choice = (name: HostName, isChosen: boolean): Markup =>
  html`<li><a class="client" href="/agents/connect?client=${name}#way"${isChosen ? html` aria-current="true"` : ''}>${agentTile(HOSTS[name].title)}<span>${HOSTS[name].title.replace(/ \(.*/, '')}</span></a></li>`

const isOut = ({ reachesLocal }: Host, reach: AddressScope): boolean => reach !== 'anywhere' && !reachesLocal

/** The single recommended way for this agent. `pdpp setup` shows the same. */
function way(name: HostName, origin: string, reach: AddressScope): Markup {
  const host = HOSTS[name]
  if (name === 'claude-desktop' && reach !== 'anywhere') return desktopBundle(origin)
  const entry = hostedEntry(origin)
  const command = host.command?.(NAME, entry)
  const link = host.link?.(NAME, entry)
  const file = command === undefined ? host.file?.(FOLDERS, entry) : undefined
  const steps = host.steps?.(NAME, entry) ?? []
  return html`${isOut(host, reach) ? html`<div class="note warn"><p><strong>${host.title} needs a public address.</strong> It runs in the cloud and can't reach ${reach === 'computer' ? 'this computer' : 'your network'} yet. Make the server reachable, then:</p></div>` : ''}
${link === undefined ? '' : html`<p><a class="button" href="${link}">${icon('plug')}Add to ${host.title}</a></p>`}
${command === undefined ? '' : html`<p>${link === undefined ? 'Run this in a terminal:' : 'Or run this in a terminal:'}</p>${copyable(`copy-${name}`, command, `the command for ${host.title}`)}`}
${
  file === undefined
    ? ''
    : html`<p>${link === undefined ? 'Let this command write it into the settings:' : 'Or let this command write it into the settings:'}</p>${copyable(`write-${name}`, `${preferences().command} setup ${name} ${origin} --write`, `the command for ${host.title}`)}
<details class="more"><summary class="small">Or put it into <code>${file.path}</code> yourself</summary>${copyable(`copy-${name}`, snippet(file, NAME), `the settings for ${host.title}`)}</details>`
}
${steps.length === 0 ? '' : html`<ol class="steps">${steps.map((step) => html`<li>${untrustedText(step, 300)}</li>`)}</ol>`}
<p class="quiet">${host.after(NAME, entry)}</p>`
}

/** Claude Desktop starts a program on this computer that reads from here, so it works without a public address. */
function desktopBundle(origin: string): Markup {
  const command = `${preferences().command} setup claude-desktop ${origin} --bundle`
  return html`<p>Run this in a terminal. Your browser opens, and you choose what it may read:</p>
${copyable('copy-claude-desktop', command, 'the command for Claude Desktop')}
<p class="quiet">Then double-click <code>pdpp.mcpb</code>, which it writes into the current folder. Claude Desktop asks whether to install it.</p>`
}

/** Typical paths. Only `pdpp setup` knows the real folders on the user's system. */
const FOLDERS: Folders = {
  here: '.',
  claudeDesktop: 'claude_desktop_config.json',
  cline: 'cline_mcp_settings.json',
  codex: '~/.codex/config.toml',
  cursor: '~/.cursor/mcp.json',
  gemini: '~/.gemini/settings.json',
  lmStudio: '~/.lmstudio/mcp.json',
  openCode: '~/.config/opencode/opencode.json',
  vscode: 'mcp.json',
  windsurf: '~/.codeium/windsurf/mcp_config.json',
  zed: '~/.config/zed/settings.json',
}

function copyable(id: string, text: string, what: string): Markup {
  return html`<div class="cmd"><pre id="${id}">${untrustedText(text, 2000)}</pre><button type="button" class="button plain small" data-copy="${id}">${icon('copy')}Copy<span class="hidden-label"> ${what}</span></button></div>`
}

function reachPanel(reach: AddressScope): Markup {
  const out = Object.values(HOSTS).filter((host) => isOut(host, reach) && !host.startsPrograms)
  return html`<section class="panel" id="reach"><h2>Claude on your phone, ChatGPT</h2>
<p class="small">This address works ${reach === 'computer' ? 'on this computer' : 'in your own network'} only. ${counted(out.length, 'agent')} in the cloud can't reach it: ${out.map(({ title }) => title).join(' and ')}.</p>
<details class="more"><summary class="small">Make it reachable</summary><p class="small">Put a proxy or tunnel with https in front of the server, set <code>PDPP_PUBLIC_URL</code> to its address, such as <code>https<span>://</span>data.example.org</code>, and start the server again. docs/running-as-a-service.md has the steps.</p></details></section>`
}

function forPrograms(origin: string, address: string): Markup {
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${untrustedText(value, 500)}</dd></div>`
  return html`<details class="panel"><summary>For programs</summary><div class="stack">
<p class="small quiet">For scripts of your own. <code>${preferences().command} owner grant create</code> makes a token; docs/api.md says what each route takes.</p>
<dl class="handles">
${row('HTTP, with a token', `GET ${origin}/v1/schema`)}
${row('MCP, Streamable HTTP', address)}
${row('MCP over stdio', `${preferences().command} mcp ${origin}`)}
${row('What this server is (RFC 9728)', `${origin}/.well-known/oauth-protected-resource`)}
${row('Its authorization server (RFC 8414)', `${origin}/.well-known/oauth-authorization-server`)}
</dl></div></details>`
}

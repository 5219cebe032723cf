import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { ArchiveInfo } from '../../upkeep/archives/archive-service.ts'
import type { SelfTestResult } from '../../upkeep/self-test.ts'
import type { IndexState, StoredFile } from '../../upkeep/upkeep-store.ts'
import type { AddressScope } from '../connect/address-scope.ts'
import { ago, bytes, count, counted } from '../frame/dates.ts'
import { form, type Page, signOutForm } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { appearancePanel } from './appearance-panel.ts'
import { lastArchiveText } from './archive-page.ts'
import { declarationsPanel, type SmoothedSource } from './declarations-panel.ts'
import { type EventChoices, eventsPanel } from './events-panel.ts'

const RETENTIONS = [30, 90, 365, 730] as const

export interface SettingsPage {
  readonly pageSession: PageSession
  readonly hasPassword: boolean
  readonly sessions: number
  readonly address: { readonly origin: string; readonly isSet: boolean; readonly reach: AddressScope }
  readonly result: SelfTestResult | undefined
  readonly retentionDays: number | null
  readonly events: EventChoices
  readonly index: IndexState
  readonly files: readonly StoredFile[]
  readonly dataDir: string
  readonly backup: ArchiveInfo | undefined
  readonly exported: ArchiveInfo | undefined
  readonly smoothed: readonly SmoothedSource[]
  readonly hasDemo: boolean
  readonly done: string | undefined
}

export function settingsPage(view: SettingsPage): Page {
  const { pageSession, hasPassword, sessions } = view
  const body = html`<h1>Settings</h1>
${notice(view.done)}
<div class="columns">
<section class="panel"><h2>Signing in</h2>
<p>${hasPassword ? 'A password is set.' : html`No password is set. You sign in with a link that <code>${preferences().command} owner login</code> prints.`} ${sessions === 1 ? 'No other browser is signed in.' : `${count(sessions)} browsers are signed in.`}</p>
<p class="answers"><a href="/owner/password">${hasPassword ? 'Change your password' : 'Set a password'}</a> <a href="/owner/sessions">Where you are signed in</a> ${signOutForm(pageSession, html`<button class="link-button">Sign out</button>`)}</p></section>
${appearancePanel(pageSession)}
${demoPanel(view)}
${addressPanel(view)}
${archivesPanel(view)}
${retentionPanel(view)}
${eventsPanel(pageSession, view.events)}
${indexPanel(view)}
${storagePanel(view)}
${declarationsPanel(view.smoothed)}
</div>`
  return { title: 'Settings', body, pageSession, here: '/settings' }
}

function demoPanel({ pageSession, hasDemo }: SettingsPage): Markup | string {
  if (!hasDemo) return ''
  return html`<section class="panel"><h2>Demo data</h2><p>Mira's year is loaded. Removing it takes away her sources and nothing else.</p>
${form(pageSession, { action: '/demo/remove', purpose: 'remove-demo' }, html`<button class="button plain">Remove demo data</button>`)}</section>`
}

function addressPanel({ pageSession, address: { origin, isSet, reach }, result }: SettingsPage): Markup {
  const first = result?.found.find(({ state }) => state === 'broken')
  const from = {
    computer: 'on this computer only',
    network: 'in your own network only',
    anywhere: 'from anywhere, if your network allows it',
  }
  return html`<section class="panel" id="address"><h2>Public address</h2>
<p><code>${untrustedText(origin, 200)}</code></p>
<p class="small quiet">${isSet ? html`Set by <code>PDPP_PUBLIC_URL</code>.` : html`Taken from the address that you opened. To choose another, set <code>PDPP_PUBLIC_URL</code> and start the server again.`} It works ${from[reach]}.</p>
${result === undefined ? '' : first === undefined ? html`<div class="note" role="status"><p>The server reaches itself there. Checked ${ago(result.at, Date.now())}.</p></div>` : html`<div class="note warn" role="alert"><p>${first.name}: ${untrustedText(first.says, 300)}</p><p class="small">${first.fix ?? ''}</p></div>`}
${form(pageSession, { action: '/settings/address', purpose: 'check-address' }, html`<button class="button plain">Check it</button>`)}</section>`
}

function archivesPanel({ backup, exported }: SettingsPage): Markup {
  return html`<section class="panel"><h2>Backup and export</h2>
<p>${lastArchiveText(backup, 'backup')}${exported === undefined ? '' : html` ${lastArchiveText(exported, 'export')}`}</p>
<p class="answers"><a href="/settings/backup">Back up everything</a> <a href="/settings/export">Export everything</a></p></section>`
}

function retentionPanel({ pageSession, retentionDays }: SettingsPage): Markup {
  const days = [...new Set([...RETENTIONS, ...(retentionDays === null ? [] : [retentionDays])])].sort((a, b) => a - b)
  return html`<section class="panel"><h2>Activity log</h2>
${form(
  pageSession,
  { action: '/settings/retention', purpose: 'retention', stacked: true },
  html`<label>Keep entries <select name="days"><option value="">for ever</option>${days.map((one) => html`<option value="${one}"${one === retentionDays ? html` selected` : ''}>for ${count(one)} days</option>`)}</select></label>
<p class="small quiet">Older entries are deleted for good. The rest can still be verified.</p>
<button class="button plain">Save</button>`,
)}</section>`
}

function indexPanel({ pageSession, index: { feeds, building, waiting } }: SettingsPage): Markup {
  return html`<section class="panel"><h2>Search index</h2>
<p>${feeds === 0 ? 'Nothing to search yet.' : building === 0 ? html`<span class="badge good">current</span> Everything can be found.` : html`<span class="badge warn">being built</span> ${counted(waiting, 'item')} to go. It continues by itself.`}</p>
${form(
  pageSession,
  { action: '/settings/index', purpose: 'rebuild-index', stacked: true },
  html`<p class="small quiet">Rebuild it if a search misses items that you know exist.</p><button class="button plain">Rebuild the index</button>`,
)}</section>`
}

function storagePanel({ files, dataDir }: SettingsPage): Markup {
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  return html`<section class="panel"><h2>Storage</h2>
<p><strong>${bytes(total)}</strong> in <code>${untrustedText(dataDir, 300)}</code></p>
<table class="table small"><thead><tr><th scope="col">File</th><th scope="col" class="number">Size</th></tr></thead>
<tbody>${files.map((file) => html`<tr><th scope="row">${untrustedText(file.name, 60)}</th><td class="number">${bytes(file.bytes)}</td></tr>`)}</tbody></table></section>`
}

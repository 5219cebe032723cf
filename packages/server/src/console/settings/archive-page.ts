import { html } from 'hono/html'
import type { SchemaSource } from '../../schema/schema-service.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { ArchiveInfo, ArchiveKind } from '../../upkeep/archives/archive-service.ts'
import { PASSPHRASE_CHARS } from '../../upkeep/archives/passphrase.ts'
import { ago, bytes, counted } from '../frame/dates.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { preferences } from '../frame/preferences.ts'
import type { Markup } from '../frame/untrusted-text.ts'

export interface ArchivePage {
  readonly pageSession: PageSession
  readonly kind: ArchiveKind
  readonly backups: 'own' | 'database'
  /** The `pdpp` command as the owner types it; undefined if this server cannot run it. */
  readonly command: string | undefined
  readonly isRunning: boolean
  readonly fileName: string
  readonly last: ArchiveInfo | undefined
  readonly hasPassword: boolean
  /** True if the owner signed in within the last minutes. */
  readonly isRecent: boolean
  readonly sources: readonly SchemaSource[]
  readonly failure: string | undefined
}

const TITLES = { backup: 'Back up everything', export: 'Export everything' }

/** Downloads everything in one file: an encrypted backup to restore, or a plain export to read elsewhere. */
export function archivePage(view: ArchivePage): Page {
  const { pageSession, kind, failure } = view
  const title = TITLES[kind]
  const body = html`<p class="small quiet crumbs"><a href="/settings">Settings</a></p>
<h1>${title}</h1>
<div class="columns">
<section class="panel"><h2>${kind === 'backup' ? 'Make a backup' : 'Make an export'}</h2>
<p class="small quiet">${lastArchiveText(view.last, kind)}</p>
${failure === undefined ? '' : problem(failure)}
${makeForm(view)}</section>
<section class="panel"><h2>What is in it</h2>${contents(view)}</section>
</div>
<section class="panel"><h2>${kind === 'backup' ? 'To put it back' : 'To import it again'}</h2>${restoreSteps(view)}</section>`
  return { title, body, pageSession, here: '/settings' }
}

export function lastArchiveText(last: ArchiveInfo | undefined, kind: ArchiveKind): Markup {
  return last === undefined
    ? html`No ${kind} has been made yet.`
    : html`The last ${kind} was made ${ago(last.at, Date.now())} (${bytes(last.bytes)}).`
}

function makeForm(view: ArchivePage): Markup {
  const { pageSession, kind, command, isRunning, hasPassword, isRecent } = view
  if (isDatabaseBackup(view))
    return html`<p>Your data is in PostgreSQL, so the tools of PostgreSQL back it up. Type <code>pg_dump --format=custom --file=pdpp.dump</code> with the address of the database.</p>`
  if (command === undefined)
    return html`<p>This server cannot make it here. Type <code>${preferences().command} owner ${kind} ${view.fileName}</code> on the computer that has the data.</p>`
  if (isRunning)
    return html`<p role="status">Another backup or export is being made. Load the page again when its download is done.</p>`
  if (!hasPassword && !isRecent)
    return html`<p>The file contains everything, so you must have signed in within the last 15 minutes. Type <code>${command} owner login</code> and open the link, or <a href="/owner/password">set a password</a>.</p>`
  const username = html`<input type="text" name="username" value="owner" autocomplete="username" class="hidden-label" tabindex="-1" aria-hidden="true" readonly>`
  const password = html`<label>Your password, once more
<input type="password" name="password" autocomplete="current-password" required maxlength="1024"></label>`
  const button = html`<button class="button">${kind === 'backup' ? 'Download the backup' : 'Download the export'}</button>
<p class="small quiet">The file is written while it downloads, so its size is not known in advance. If the download breaks off, make it again: an incomplete file is refused later.</p>`
  return form(
    pageSession,
    { action: `/settings/${kind}`, purpose: kind, stacked: true },
    html`${kind === 'backup' || hasPassword ? username : ''}${kind === 'backup' ? passphraseFields() : ''}${hasPassword ? password : ''}${button}`,
  )
}

function passphraseFields(): Markup {
  const field = (name: string, label: string, described: Markup | string) => html`<label>${label}
<input type="password" name="${name}" autocomplete="new-password" required minlength="${PASSPHRASE_CHARS}" maxlength="1024"${described}></label>`
  return html`${field('passphrase', 'A passphrase for this file', html` aria-describedby="passphrase-rule"`)}
<p id="passphrase-rule" class="small quiet">At least ${PASSPHRASE_CHARS} characters. It is stored nowhere. Without it nobody can read the file, including you.</p>
${field('again', 'The passphrase again', '')}`
}

/** True if the database's own tools make the backup. */
const isDatabaseBackup = ({ kind, backups }: ArchivePage): boolean => kind === 'backup' && backups === 'database'

function contents(view: ArchivePage): Markup {
  const { kind, sources } = view
  const connections = sources.reduce((sum, { named }) => sum + named.length, 0)
  const statistics = sources.flatMap(({ streams }) => streams.flatMap((stream) => stream.statistics))
  const records = statistics.reduce((sum, one) => sum + one.count, 0)
  const amount = html`${counted(records, 'item')} from ${counted(connections, 'source')}, and the descriptions of these sources.`
  return kind === 'backup'
    ? html`<ul class="steps"><li>${amount}</li><li>The access of your agents with their tokens, the activity log, settings, your password.</li></ul>
<p class="small quiet">${isDatabaseBackup(view) ? '' : 'Encrypted with the passphrase. '}A server restored from it continues where this one was.</p>`
    : html`<ul class="steps"><li>${amount}</li><li>The access of your agents and the activity log, to read.</li></ul>
<p class="small quiet">Plain files (JSON lines) in a .tar.gz, with a manifest that names each with its size and hash. Passwords, tokens and keys are left out. It is not encrypted: anybody who has it can read all of it.</p>`
}

function restoreSteps(view: ArchivePage): Markup {
  const { kind, command = 'pdpp', fileName } = view
  if (isDatabaseBackup(view))
    return html`<p>Create an empty database, type <code>pg_restore --no-owner --dbname=… pdpp.dump</code>, and start the server with its address.</p>`
  const verb = kind === 'backup' ? 'restore' : 'import'
  const line = `${command} owner ${verb} ${fileName} --data-dir pdpp-restored`
  return html`<pre>${line}</pre>
<p class="small quiet">${
    kind === 'backup'
      ? html`It asks for the passphrase, checks the whole file, and puts it into a folder that is empty or doesn't exist yet. Then start the server on it: <code>${command} serve --data-dir pdpp-restored</code>. Access that you revoked after the backup works again: look through it first.`
      : html`It checks the whole file, then imports sources and items. It's safe to run twice. Connect your agents again afterwards.`
  }</p>`
}

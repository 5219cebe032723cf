import { html } from 'hono/html'
import type { StoredImport } from '../../imports/import.ts'
import { undoable } from '../../imports/undo.ts'
import { FORM_TOKEN } from '../../routes/request/form.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, bytes } from '../frame/dates.ts'
import type { Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { countsWords, filesWords, stateBadge } from './import-text.ts'
import { IMPORT_SCRIPT_PATH } from './script.ts'

export interface ImportsPage {
  readonly pageSession: PageSession
  readonly imports: readonly StoredImport[]
  readonly older: string | undefined
  readonly limits: { readonly maxBytes: number; readonly maxFiles: number; readonly room: number }
  readonly done: string | undefined
}

/** The form for uploads, and the list of imports. */
export function importsPage(view: ImportsPage): Page {
  const body = html`<h1>Import</h1>
${notice(view.done)}
${uploadForm(view)}
<section class="stack"><h2>Imports</h2>
${view.imports.length === 0 ? html`<p class="quiet">None so far. Those that you make with <code>pdpp import</code> on the command line are listed here, too.</p>` : html`<ul class="panel rows">${view.imports.map(row)}</ul>`}
${view.older === undefined ? '' : html`<p><a href="${view.older}">Older ones</a></p>`}
</section>`
  return { title: 'Import', body, pageSession: view.pageSession, here: '/sources', script: IMPORT_SCRIPT_PATH }
}

/** The token comes before the files, so that files without it are not stored. */
function uploadForm({ pageSession, limits: { maxBytes, maxFiles, room } }: ImportsPage): Markup {
  const maxUpload = Math.min(maxBytes, room)
  if (room === 0)
    return html`<div class="note warn" role="alert"><p><strong>The disk of the server is full.</strong> Nothing can be uploaded until there is room.</p></div>`
  return html`<form method="post" action="/import" enctype="multipart/form-data" class="panel drop" id="upload" data-most="${maxUpload}" data-files="${maxFiles}">
<input type="hidden" name="${FORM_TOKEN}" value="${pageSession.formToken('upload')}">
<p>The exports of WhatsApp, Telegram, Slack, ChatGPT and many more; mail, calendars, contacts, notes, documents, photos; tables (CSV, JSON, SQLite). Alone, in folders or in a zip. You see what was recognised before anything is written, and importing again changes only what changed.</p>
<div class="pickers"><label>Files<input type="file" name="files" id="files" multiple required></label>
<div class="with-script-only"><label>Or a whole folder<input type="file" id="folder" webkitdirectory></label></div></div>
<p class="small quiet with-script-only">Or drop files and folders here.</p>
<div class="answers"><button class="button">Look at the files</button><span class="small quiet">At most ${bytes(maxUpload)} at once. They stay on your server and are removed once they are imported.</span></div>
<div class="upload-progress" hidden><progress max="1" aria-label="Upload"></progress><p class="small quiet" role="status"></p></div>
</form>`
}

function row(one: StoredImport): Markup {
  const counts = countsWords(one)
  return html`<li><div class="what"><a class="row-title" href="/import/${one.importId}">${filesWords(one)}</a>
<span class="small quiet">${ago(one.createdAt, Date.now())}${counts === '' ? '' : ` · ${counts}`}${undoable(one).possible ? html` · <a href="/import/${one.importId}#undo">can be undone</a>` : ''}</span></div>
${stateBadge(one.state)}</li>`
}

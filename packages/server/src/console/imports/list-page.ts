import { html } from 'hono/html'
import type { StoredImport } from '../../imports/import.ts'
import { undoable } from '../../imports/undo.ts'
import { FORM_TOKEN } from '../../routes/request/form.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, bytes } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import type { Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { preferences } from '../frame/preferences.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { exportGuides } from './export-guides.ts'
import { countsWords, filesWords, importSteps, stateBadge } from './import-text.ts'
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
  const body = html`<div class="head"><h1>Add data</h1>${importSteps('Choose')}</div>
${notice(view.done)}
<div class="cols"><div class="stack">${uploadForm(view)}
${exportGuides()}</div>
<aside class="stack"><section class="panel flat" aria-labelledby="earlier"><div class="bar"><h2 id="earlier">Earlier imports</h2></div>
${view.imports.length === 0 ? html`<p class="row small quiet">None so far.</p>` : html`<ul class="list">${view.imports.map(row)}</ul>`}
${view.older === undefined ? '' : html`<p class="row small"><a href="${view.older}">Older imports</a></p>`}</section>
<section class="panel"><h2>From a terminal</h2><p class="small"><code>${preferences().command} import &lt;file or folder&gt;</code> does the same. With <code>--watch</code> it keeps a folder up to date.</p></section></aside></div>`
  return { title: 'Add data', body, pageSession: view.pageSession, here: '/sources', script: IMPORT_SCRIPT_PATH }
}

/** The token comes before the files, so that files without a token are not stored. */
function uploadForm({ pageSession, limits: { maxBytes, maxFiles, room } }: ImportsPage): Markup {
  const maxUpload = Math.min(maxBytes, room)
  if (room === 0)
    return html`<div class="note warn" role="alert"><p><strong>The disk of the server is full.</strong> Make room on it, then load this page again.</p></div>`
  return html`<form method="post" action="/import" enctype="multipart/form-data" class="panel drop" id="upload" data-most="${maxUpload}" data-files="${maxFiles}">
<input type="hidden" name="${FORM_TOKEN}" value="${pageSession.formToken('upload')}">
${icon('add', 'big')}
<p class="drop-title"><span class="with-script-only">Drop files, a folder or a zip here</span><span class="without-script-only">Choose files or a zip</span></p>
<div class="pickers"><label class="picker">Choose files<input type="file" name="files" id="files" multiple required></label>
<label class="picker plain with-script-only">Choose a folder<input type="file" id="folder" webkitdirectory></label></div>
<button class="button without-script-only">Continue</button>
<div class="upload-progress" hidden><progress max="1" aria-label="Upload"></progress><p class="small quiet" role="status"></p></div>
<p class="small quiet">You see what was found before anything is saved. At most ${bytes(maxUpload)} at once. Only your server gets the files, and it removes them after the import.</p>
</form>`
}

function row(one: StoredImport): Markup {
  const counts = countsWords(one)
  return html`<li class="row"><div class="grow"><p><a class="row-title" href="/import/${one.importId}">${filesWords(one)}</a> ${stateBadge(one.state)}</p>
<p class="small dim">${ago(one.createdAt, Date.now())}${counts === '' ? '' : ` · ${counts}`}${undoable(one).possible ? html` · <a href="/import/${one.importId}#undo">undo</a>` : ''}</p></div></li>`
}

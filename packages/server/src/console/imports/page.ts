import { html } from 'hono/html'
import type { Failure, ImportState, StoredImport } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { RunProgress } from '../../imports/worker-messages.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, bytes, count, counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { filesWords, importSteps, itemsWords, stateBadge } from './import-text.ts'
import { failureText } from './importer-text.ts'
import { type PlanChoices, partName, planLine, streamsOf } from './plan.ts'
import { problemsPanel, type ShownProblem } from './problems.ts'
import { importProgress } from './progress.ts'
import { resultPanel, undoPanel } from './result.ts'
import { IMPORT_SCRIPT_PATH } from './script.ts'

const MAX_SOURCES = 30
/** States before anything is written. */
const BEFORE: readonly ImportState[] = ['uploaded', 'recognised']

export interface ImportPage {
  readonly pageSession: PageSession
  readonly stored: StoredImport
  /** Undefined after the files were removed. */
  readonly plan: readonly SourcePlan[] | undefined
  readonly choices: PlanChoices
  /** True if demo data is loaded, so that the import would mix with it. */
  readonly hasDemo: boolean
  readonly progress: RunProgress | undefined
  readonly problems: {
    readonly shown: readonly ShownProblem[]
    readonly next: string | undefined
    readonly first: number
  }
  readonly done: string | undefined
}

/** The page of one import, in any state. */
export function importPage(view: ImportPage): Page {
  const { stored, pageSession } = view
  const { body, createdAt } = stored
  const files = body.fileCount ?? body.files.length
  const size = body.files.reduce((sum, file) => sum + file.bytes, 0)
  const shown = html`<header class="stack tight"><p class="small quiet crumbs"><a href="/import">Add data</a></p>
<div class="head"><h1>${filesWords(stored, 200)} ${stateBadge(stored.state)}</h1>${importSteps(BEFORE.includes(stored.state) ? 'Check' : 'Import')}</div>
<p class="small quiet">${body.isClientSide ? html`Made with <code>${preferences().command} import</code>` : 'Uploaded'} ${ago(createdAt, Date.now())}, ${counted(files, 'file')}, ${bytes(size)}</p></header>
${notice(view.done)}
${body.failure === undefined ? '' : failureNote(body.failure)}
${stateParts(view)}`
  return { title: 'Add data', body: shown, pageSession, here: '/sources', script: IMPORT_SCRIPT_PATH }
}

function stateParts(view: ImportPage): Markup {
  const { stored } = view
  switch (stored.state) {
    case 'uploaded':
      return html`${live(view, html`<p>Checking the files… Nothing is saved before you have seen what was found.</p>`)}`
    case 'recognised':
      return recognised(view)
    case 'waiting':
    case 'running':
      return html`${live(view, importProgress(stored, view.progress))}
${
  stored.body.isClientSide
    ? ''
    : html`${button(view, 'stop', 'Stop', 'plain')}
<p class="small quiet">You can leave this page. The import continues, even after a restart of the server.</p>`
}
${problemsPanel(stored, view.problems)}`
    case 'undoing':
      return live(view, html`<p>Undoing the import… You can leave this page.</p>`)
    default:
      return over(view)
  }
}

function failureNote(failure: Failure): Markup {
  const { message, nextStep } = failureText(failure)
  return html`<div class="note warn" role="alert"><p>${untrustedText(message, 600)}</p><p class="small">${untrustedText(nextStep, 600)}</p></div>`
}

/** The part that the script updates. Without scripts, a link reloads the page. */
function live({ stored }: ImportPage, body: Markup): Markup {
  return html`<section class="panel" aria-label="Progress"><div class="stack" id="live" data-state="${stored.state}" data-path="/import/${stored.importId}/progress">${body}</div>
<p class="small without-script-only"><a href="/import/${stored.importId}">Look again</a></p></section>`
}

function recognised(view: ImportPage): Markup {
  const plan = view.plan ?? []
  const more = plan.length - MAX_SOURCES
  const isTicked = plan.length > 1 && more <= 0
  return html`<p class="say">${foundWords(view.stored, plan)}</p>
<ul class="lines plan">${plan.slice(0, MAX_SOURCES).map((source, at) => planLine({ ...view, source, at, isTicked, isOpen: plan.length === 1 }))}</ul>
${more > 0 ? html`<p class="quiet">And ${count(more)} more sources.</p>` : ''}
${leftOut(view.stored)}
<p class="small quiet">${icon('lock')} No agent can read new sources until you allow it.</p>
${view.hasDemo ? html`<div class="note warn"><p><strong>Demo data is still here.</strong> Remove it first? Otherwise it stays next to your own data.</p></div>` : ''}
<section class="answer" aria-label="Your answer"><p class="say">${isTicked ? 'Import what is ticked?' : 'Import this?'} Nothing has been saved yet.</p>
<div class="acts">${button(view, 'discard', 'Cancel', 'plain big')}${startButton(view, isTicked)}</div></section>`
}

/** Describes the content of the files in one sentence. */
function foundWords({ body }: StoredImport, plan: readonly SourcePlan[]): Markup {
  const files = body.fileCount ?? body.files.length
  const items = itemsWords(plan.flatMap(streamsOf))
  return html`Found <strong>${items}</strong> for ${plan.length === 1 ? html`<strong>${untrustedText(partName(plan[0]!), 80)}</strong>` : html`<strong>${counted(plan.length, 'source')}</strong>`}, in ${counted(files, 'file')}.`
}

function leftOut({ body: { leftOut: list, leftOutCount, failures } }: StoredImport): Markup | string {
  if (list.length + failures.length === 0) return ''
  const more = leftOutCount - list.length
  return html`<details class="panel" ${failures.length > 0 ? 'open' : ''}><summary>${counted(leftOutCount + failures.length, 'file')} will be skipped</summary><ul class="rows small">
${failures.map(failedFile)}
${list.map(({ file, reason }) => html`<li><div class="what"><strong>${untrustedText(file, 120)}</strong><span>${untrustedText(reason, 200)}</span></div></li>`)}
${more > 0 ? html`<li class="quiet">and ${count(more)} more</li>` : ''}</ul></details>`
}

function failedFile({ file, ...failure }: StoredImport['body']['failures'][number]): Markup {
  const { message, nextStep } = failureText(failure as Failure)
  return html`<li><div class="what"><strong>${untrustedText(file, 120)}</strong><span>${untrustedText(message, 300)}</span><span class="quiet">${untrustedText(nextStep, 300)}</span></div></li>`
}

function over(view: ImportPage): Markup {
  const { stored } = view
  const { holdsFiles } = stored.body
  const goesOn = holdsFiles && view.plan !== undefined && (stored.state === 'stopped' || stored.state === 'failed')
  return html`${resultPanel(stored)}
${goesOn ? html`<div class="answers">${button(view, 'start', 'Resume')}${button(view, 'discard', 'Remove the files', 'plain')}<span class="small quiet">Nothing is imported twice.</span></div>` : ''}
${stored.state === 'failed' && !goesOn ? html`<div class="answers">${button(view, 'discard', 'Remove from the list', 'plain')}<a href="/import">Import other files</a></div>` : ''}
${stored.state === 'failed' ? '' : leftOut(stored)}
${problemsPanel(stored, view.problems)}
${undoPanel(view.pageSession, stored)}`
}

/** With demo data there are two buttons: remove it first, or keep both. */
function startButton(view: ImportPage, isTicked: boolean): Markup {
  if (!view.hasDemo) return button(view, 'start', 'Import', 'big', isTicked)
  return actForm(
    view,
    'start',
    isTicked,
    html`<button class="button plain big" name="demo" value="keep">Keep both</button> <button class="button big" name="demo" value="remove">Remove the demo and import</button>`,
  )
}

/** `isTicked`: the ticks of the parts belong to this form. */
function button(view: ImportPage, act: string, text: string, kind = '', isTicked = false): Markup {
  return actForm(view, act, isTicked, html`<button class="button ${kind}">${text}</button>`)
}

const actForm = ({ pageSession, stored }: ImportPage, act: string, isTicked: boolean, buttons: Markup): Markup =>
  form(
    pageSession,
    { action: `/import/${stored.importId}/${act}`, purpose: `${act}:${stored.importId}`, id: act },
    html`${isTicked ? html`<input type="hidden" name="parts" value="ticked">` : ''}${buttons}`,
  )

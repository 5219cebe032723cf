import { mergedStreams } from '@pdpp/importers'
import { html } from 'hono/html'
import type { Failure, StoredImport } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { RunProgress } from '../../imports/worker-messages.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, bytes, count } from '../frame/dates.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { filesWords, recordsWords, stateBadge } from './import-text.ts'
import { failureText } from './importer-text.ts'
import { type PlanChoices, sourcePlanPanel } from './plan.ts'
import { problemsPanel, type ShownProblem } from './problems.ts'
import { importProgress } from './progress.ts'
import { resultPanel, undoPanel } from './result.ts'
import { IMPORT_SCRIPT_PATH } from './script.ts'

const MAX_SOURCES = 30
/** Max. streams per source in the summary. */
const MAX_LINES = 12

export interface ImportPage {
  readonly pageSession: PageSession
  readonly stored: StoredImport
  /** Undefined after the files were removed. */
  readonly plan: readonly SourcePlan[] | undefined
  readonly choices: PlanChoices
  /** True if demo data is here, and the import would come to stand beside it. */
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
  const shown = html`<header class="title"><p class="small quiet crumbs"><a href="/import">Import</a></p>
<h1>${filesWords(stored, 200)} ${stateBadge(stored.state)}</h1>
<p class="small quiet">${body.isClientSide ? html`Made with <code>pdpp import</code>` : 'Uploaded'} ${ago(createdAt, Date.now())}, ${count(files)} ${files === 1 ? 'file' : 'files'}, ${bytes(size)}</p></header>
${notice(view.done)}
${body.failure === undefined ? '' : failureNote(body.failure)}
${stateParts(view)}`
  return { title: 'Import', body: shown, pageSession, here: '/sources', script: IMPORT_SCRIPT_PATH }
}

function stateParts(view: ImportPage): Markup {
  const { stored } = view
  switch (stored.state) {
    case 'uploaded':
      return html`${live(view, html`<p>The files are being looked at. Nothing is written before you have seen what they are.</p>`)}`
    case 'recognised':
      return recognised(view)
    case 'waiting':
    case 'running':
      return html`${live(view, importProgress(stored, view.progress))}
${
  stored.body.isClientSide
    ? ''
    : html`${button(view, 'stop', 'Stop', 'plain')}
<p class="small quiet">You can close this page: the import goes on, also after the server is started again.</p>`
}
${problemsPanel(stored, view.problems)}`
    case 'undoing':
      return live(view, html`<p>It is being undone. You can close this page: that goes on by itself.</p>`)
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
  return html`<section class="panel"><h2>Import this?</h2>
${plan.length > 1 && more <= 0 ? partTicks(view.stored, plan) : html`<ul class="counts">${plan.slice(0, MAX_SOURCES).flatMap((source, at) => sourceLines(source, at))}</ul>`}
${view.hasDemo ? html`<div class="note warn"><p><strong>Demo data is still here.</strong> Remove it first? Otherwise your own data stands beside that of the invented Mira Tallow.</p></div>` : ''}
<div class="answers">${startButton(view, plan.length > 1 && more <= 0)}${button(view, 'discard', 'Discard', 'plain')}<span class="small quiet">Nothing is written until you say so.</span></div></section>
${leftOut(view.stored)}
${plan.slice(0, MAX_SOURCES).map((source, at) => sourcePlanPanel(view.pageSession, view.stored, source, at, view.choices))}
${more > 0 ? html`<p class="quiet">And ${count(more)} more sources.</p>` : ''}`
}

/** One tick per part, with what it has. The ticks belong to the form of the button, which stands below them. */
function partTicks({ body: { parts } }: StoredImport, plan: readonly SourcePlan[]): Markup {
  return html`<fieldset class="fieldset"><legend>Parts</legend>${plan.map(
    (
      source,
      at,
    ) => html`<label class="tick"><input type="checkbox" form="start" name="part" value="${at}"${parts === undefined || parts.includes(at) ? html` checked` : ''}><span><strong>${untrustedText(partName(source), 80)}</strong></span></label>
<ul class="counts">${sourceLines(source, at)}</ul>`,
  )}</fieldset>`
}

const partName = ({ source, plans }: SourcePlan): string => plans[0]?.connection?.name ?? source

/** One line per stream, with a link to its details. */
function sourceLines({ source, plans }: SourcePlan, at: number): Markup[] {
  const streams = mergedStreams(plans.flatMap((plan) => plan.streams)).filter(({ sampled }) => sampled > 0)
  return streams
    .slice(0, MAX_LINES)
    .map(
      (stream) =>
        html`<li><a href="#source-${at}">${source === stream.name ? '' : html`${untrustedText(source, 60)}: `}${untrustedText(stream.name, 60)}</a><span class="number">${recordsWords(stream)}</span></li>`,
    )
}

function leftOut({ body: { leftOut: list, leftOutCount, failures } }: StoredImport): Markup | string {
  if (list.length + failures.length === 0) return ''
  const more = leftOutCount - list.length
  return html`<details class="panel" ${failures.length > 0 ? 'open' : ''}><summary>${count(leftOutCount + failures.length)} left out</summary><ul class="rows small">
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
${goesOn ? html`<div class="answers">${button(view, 'start', 'Go on')}${button(view, 'discard', 'Remove the files', 'plain')}<span class="small quiet">Going on takes nothing in twice.</span></div>` : ''}
${stored.state === 'failed' && !goesOn ? html`<div class="answers">${button(view, 'discard', 'Remove from the list', 'plain')}<a href="/import">Import other files</a></div>` : ''}
${stored.state === 'failed' ? '' : leftOut(stored)}
${problemsPanel(stored, view.problems)}
${undoPanel(view.pageSession, stored)}`
}

/** Beside demo data there are two ways to start: without it, or beside it. */
function startButton(view: ImportPage, isTicked: boolean): Markup {
  if (!view.hasDemo) return button(view, 'start', 'Import this', '', isTicked)
  return actForm(
    view,
    'start',
    isTicked,
    html`<button class="button" name="demo" value="remove">Remove the demo and import this</button> <button class="button plain" name="demo" value="keep">Import beside it</button>`,
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

import { filledWords, mergedStreams, type PlannedStream, tellingFirst } from '@pdpp/importers'
import { html } from 'hono/html'
import type { StoredImport } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { correctForm } from './corrections-form.ts'
import { recordsWords } from './import-text.ts'
import { noticesText } from './importer-text.ts'

const MAX_STREAMS = 40
const MAX_FIELDS = 200
const SAMPLE_FIELDS = 6
const MAX_NOTICES = 12

/** The data that the server already has: connections to choose from, and the number of records in each stream. */
export interface PlanChoices {
  readonly connections: readonly { readonly connectionId: string; readonly connectorKey: string }[]
  /** By source and stream. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** The plan of one source: its files, its streams with fields and samples, and the form for corrections. */
export function sourcePlanPanel(
  pageSession: PageSession,
  stored: StoredImport,
  source: SourcePlan,
  at: number,
  choices: PlanChoices,
): Markup {
  const { plans } = source
  const streams = mergedStreams(plans.flatMap((plan) => plan.streams))
  const formats = [...new Set(plans.map(({ format }) => format))].join(', ')
  const notices = noticesText(plans.flatMap((plan) => plan.notices))
  const more = streams.length - MAX_STREAMS
  return html`<section class="panel" id="source-${at}"><header><h2>${untrustedText(plans[0]?.connection?.name ?? source.source, 100)} <span class="badge">${untrustedText(formats, 60)}</span></h2>
<p class="small quiet">${filesOf(source)}</p></header>
<p>${matchText(source)}</p>
${notices.length === 0 ? '' : html`<ul class="steps small">${notices.slice(0, MAX_NOTICES).map((text) => html`<li>${untrustedText(text, 300)}</li>`)}${notices.length > MAX_NOTICES ? html`<li>and ${count(notices.length - MAX_NOTICES)} more like these</li>` : ''}</ul>`}
${streams.slice(0, MAX_STREAMS).map((stream) => (stream.sampled === 0 ? html`<p class="quiet">${untrustedText(stream.name, 100)}: nothing in these files</p>` : streamPart(stream, choices.counts.get(source.source)?.get(stream.name))))}
${more > 0 ? html`<p class="quiet">And ${count(more)} more streams.</p>` : ''}
${correctForm(pageSession, stored, source, at, streams, choices.connections)}</section>`
}

function filesOf({ fileNames, fileCount }: SourcePlan): Markup {
  const more = fileCount - Math.min(3, fileNames.length)
  return html`${fileNames.slice(0, 3).map((name, at) => html`${at === 0 ? '' : ', '}${untrustedText(name, 100)}`)}${more > 0 ? ` and ${count(more)} more files` : ''}`
}

function matchText({ plans }: SourcePlan): Markup {
  const { match } = plans[0]!
  const changes = plans.flatMap((plan) => plan.changes)
  const said = changes.slice(0, 12).map((change, at) => html`${at === 0 ? '' : ', '}${untrustedText(change, 160)}`)
  if (match === 'new') return html`A new source${changes.length === 0 ? '' : html`: ${said}`}.`
  return changes.length === 0
    ? html`Imported before: it is read in the same way, and only what changed is written.`
    : html`Imported before; it gets more: ${said}.`
}

function streamPart(stream: PlannedStream, existing: number | undefined): Markup {
  const there = existing === undefined || existing === 0 ? '' : html` · ${count(existing)} there now`
  const named = (use: string) => stream.fields.filter(({ uses }) => uses.includes(use)).map(({ name }) => name)
  const [key, time] = [named('key'), named('time')]
  return html`<section class="stack"><h3>${untrustedText(stream.name, 100)} <span class="small quiet">${recordsWords(stream)}${stream.complete ? '' : `, the first ${count(stream.sampled)} looked at`}${there}</span></h3>
<dl class="facts small"><div><dt>Key</dt><dd>${untrustedText(key.join(', '), 200)}</dd></div><div><dt>Time</dt><dd>${time.length === 0 ? 'none' : untrustedText(time.join(', '), 100)}</dd></div></dl>
${stream.examples.length === 0 ? '' : samples(stream)}
<details class="more"><summary class="small">${count(stream.fields.length)} ${stream.fields.length === 1 ? 'field' : 'fields'}</summary>${fields(stream)}</details></section>`
}

function samples({ examples, fields: all, name }: PlannedStream): Markup {
  const shown = tellingFirst(
    all.filter((field) => examples.some((row) => Object.hasOwn(row, field.name) && row[field.name] != null)),
  ).slice(0, SAMPLE_FIELDS)
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="First records of ${name.slice(0, 60)}"><table class="table small"><thead><tr>${shown.map((field) => html`<th scope="col">${untrustedText(field.name, 40)}</th>`)}</tr></thead>
<tbody>${examples.map((row) => html`<tr>${shown.map((field) => html`<td>${shortValue(Object.hasOwn(row, field.name) ? row[field.name] : null)}</td>`)}</tr>`)}</tbody></table></div>`
}

function shortValue(value: unknown): Markup | string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return untrustedText(text.slice(0, 1000).replace(/\s+/g, ' '), 80)
}

function fields(stream: PlannedStream): Markup {
  const more = stream.fields.length - MAX_FIELDS
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="Fields of ${stream.name.slice(0, 60)}"><table class="table small"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Filled</th><th scope="col">Used as</th></tr></thead>
<tbody>${stream.fields.slice(0, MAX_FIELDS).map((field) => html`<tr><th scope="row">${untrustedText(field.name, 80)}</th><td>${untrustedText(field.type, 40)}</td><td>${filledWords(field, stream)}</td><td>${field.uses.join(', ')}</td></tr>`)}</tbody></table></div>
${more > 0 ? html`<p class="small quiet">And ${count(more)} more.</p>` : ''}`
}

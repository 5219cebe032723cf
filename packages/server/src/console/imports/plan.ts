import {
  type DestinationConnection,
  existingConnection,
  filledText,
  mergedStreams,
  type PlannedStream,
  timeAndTitleFirst,
} from '@pdpp/importers'
import { html } from 'hono/html'
import type { StoredImport } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import { kindOf, kindTile } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { correctForm } from './corrections-form.ts'
import { itemsWords } from './import-text.ts'
import { noticesText } from './importer-text.ts'

const MAX_STREAMS = 40
const MAX_FIELDS = 200
const SAMPLE_FIELDS = 6
const MAX_NOTICES = 12

/** Data of the server for the plan: connections to choose from, and the number of records in each stream. */
export interface PlanChoices {
  readonly connections: readonly DestinationConnection[]
  /** The number of records in a stream of the plan, before the import. */
  countOf(source: SourcePlan, stream: string): number
}

export interface PlanLine {
  readonly pageSession: PageSession
  readonly stored: StoredImport
  readonly choices: PlanChoices
  readonly source: SourcePlan
  readonly at: number
  /** True if the owner can choose among several sources. */
  readonly isTicked: boolean
  readonly isOpen: boolean
}

export const partName = ({ source, plans }: SourcePlan): string => plans[0]?.connection?.name ?? source
export const streamsOf = ({ plans }: SourcePlan): PlannedStream[] =>
  mergedStreams(plans.flatMap((plan) => plan.streams))

/** One source on one line with a tick, and its details in a fold. The tick belongs to the form of the button below. */
export function planLine(line: PlanLine): Markup {
  const { source, at, isTicked, isOpen, stored } = line
  const { parts } = stored.body
  const isOn = parts === undefined || parts.includes(at)
  const streams = streamsOf(source)
  const formats = [...new Set(source.plans.map(({ format }) => format))].join(', ')
  const name = untrustedText(partName(source), 80)
  const id = `part-${at}`
  return html`<li class="line${isOn ? ' on' : ''}"><div class="head-line">${isTicked ? html`<input type="checkbox" form="start" id="${id}" name="part" value="${at}"${isOn ? html` checked` : ''}>` : html`<span></span>`}
${kindTile(kindOf(streams[0]?.name ?? '', `${source.source} ${formats}`))}${isTicked ? html`<label for="${id}">${lineText(line, name)}</label>` : html`<div>${lineText(line, name)}</div>`}
<span class="amount">${itemsWords(streams)}</span></div>
<details class="inside" id="source-${at}"${isOpen ? html` open` : ''}><summary><span class="hidden-label">Details of ${name}</span></summary>
<div class="stack">${details(line, streams, formats)}</div></details></li>`
}

const lineText = ({ source, choices }: PlanLine, name: Markup | string): Markup =>
  html`<span class="cut"><b>${name}</b></span><small class="cut">${matchText(source, choices)}</small>`

function details({ pageSession, stored, source, at, choices }: PlanLine, streams: PlannedStream[], formats: string) {
  const notices = noticesText(source.plans.flatMap((plan) => plan.notices))
  const more = streams.length - MAX_STREAMS
  return html`<p class="small quiet">${filesOf(source)} · ${untrustedText(formats, 60)}</p>
${notices.length === 0 ? '' : html`<ul class="steps small">${notices.slice(0, MAX_NOTICES).map((text) => html`<li>${untrustedText(text, 300)}</li>`)}${notices.length > MAX_NOTICES ? html`<li>and ${count(notices.length - MAX_NOTICES)} more like these</li>` : ''}</ul>`}
${streams.slice(0, MAX_STREAMS).map((stream) => (stream.sampled === 0 ? html`<p class="quiet">${untrustedText(stream.name, 100)}: nothing in these files</p>` : streamPart(stream, choices.countOf(source, stream.name))))}
${more > 0 ? html`<p class="quiet">And ${count(more)} more parts.</p>` : ''}
${correctForm(pageSession, stored, source, at, streams, choices.connections)}`
}

function filesOf({ fileNames, fileCount }: SourcePlan): Markup {
  const more = fileCount - Math.min(3, fileNames.length)
  return html`${fileNames.slice(0, 3).map((name, at) => html`${at === 0 ? '' : ', '}${untrustedText(name, 100)}`)}${more > 0 ? ` and ${count(more)} more files` : ''}`
}

function matchText({ plans }: SourcePlan, { connections }: PlanChoices): Markup {
  const { match, connection } = plans[0]!
  const changes = plans.flatMap((plan) => plan.changes)
  const said = changes.slice(0, 12).map((change, at) => html`${at === 0 ? '' : ', '}${untrustedText(change, 160)}`)
  if (match === 'new') return html`Becomes a new source${changes.length === 0 ? '' : html`: ${said}`}.`
  if (connection && existingConnection(connections, connection) === undefined)
    return html`New, and read like the others of its service${changes.length === 0 ? '' : html`: ${said}`}.`
  return changes.length === 0
    ? html`Already here: only what is new or changed is added.`
    : html`Already here. It also gets: ${said}.`
}

function streamPart(stream: PlannedStream, existing: number): Markup {
  const there = existing === 0 ? '' : html` · ${count(existing)} already here`
  const named = (use: string) => stream.fields.filter(({ uses }) => uses.includes(use)).map(({ name }) => name)
  const [key, time] = [named('key'), named('time')]
  return html`<section class="stack"><h2>${untrustedText(stream.name, 100)} <span class="small quiet">${itemsWords([stream])}${stream.complete ? '' : `, based on the first ${count(stream.sampled)}`}${there}</span></h2>
<dl class="facts small"><div><dt>Key</dt><dd>${untrustedText(key.join(', '), 200)}</dd></div><div><dt>Time</dt><dd>${time.length === 0 ? 'none' : untrustedText(time.join(', '), 100)}</dd></div></dl>
${stream.examples.length === 0 ? '' : samples(stream)}
<details class="more"><summary class="small">${count(stream.fields.length)} ${stream.fields.length === 1 ? 'field' : 'fields'}</summary>${fields(stream)}</details></section>`
}

function samples({ examples, fields: all, name }: PlannedStream): Markup {
  const shown = timeAndTitleFirst(
    all.filter((field) => examples.some((row) => Object.hasOwn(row, field.name) && row[field.name] != null)),
  ).slice(0, SAMPLE_FIELDS)
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="First items of ${name.slice(0, 60)}"><table class="table small"><thead><tr>${shown.map((field) => html`<th scope="col">${untrustedText(field.name, 40)}</th>`)}</tr></thead>
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
<tbody>${stream.fields.slice(0, MAX_FIELDS).map((field) => html`<tr><th scope="row">${untrustedText(field.name, 80)}</th><td>${untrustedText(field.type, 40)}</td><td>${filledText(field, stream)}</td><td>${field.uses.join(', ')}</td></tr>`)}</tbody></table></div>
${more > 0 ? html`<p class="small quiet">And ${count(more)} more.</p>` : ''}`
}

import { html } from 'hono/html'
import { FORM, type SourceChoice } from '../../authorization/consent/choice.ts'
import { hasOwnerChoices, matchesSearch } from '../../authorization/consent/listing.ts'
import type { OfferedSource, OfferedStream } from '../../authorization/consent/offer.ts'
import { isDated, type Preset } from '../../authorization/consent/presets.ts'
import { type Preview, type PreviewCount, previewKey } from '../../authorization/consent/preview.ts'
import { isTraining } from '../../authorization/requests/authorization-details.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { count, durationText } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { sampleTable } from './sample.ts'

/** More accounts than this are shown in columns: chosen ones first, then those that match the search. */
const MANY_ACCOUNTS = 20

/** Max. characters that a client may send for a purpose. Nothing is cut, because the owner agrees to all of it. */
const CLAIM_CHARS = 500

const PURPOSES: Readonly<Record<string, string>> = {
  personalization: 'to adapt itself to you',
  analytics: 'to analyse how things are used',
  export: 'to copy your data to another place',
  agent_context: 'to answer you with your own data at hand',
  ai_training: 'to train an AI model',
  research: 'for research',
}

export interface SourceView {
  readonly action: string
  readonly source: OfferedSource
  readonly choice: SourceChoice
  readonly preview: Preview
  readonly problem: string | undefined
  readonly urls: RecordUrls
  /** The text in the search box. */
  readonly find: string
}

/** One source: its accounts, dates and streams, and what each stream would share. */
export function sourceSection(view: SourceView): Markup {
  const { source, choice } = view
  const open = source.asked !== undefined || hasOwnerChoices(source, choice)
  const id = `source-${source.key}`
  return html`<details class="panel source" id="${id}"${open ? html` open` : ''}>
<summary><h3>${untrustedText(source.declaration.display.name, 80)}</h3>${source.sensitive ? html` <span class="badge warn">sensitive</span>` : ''}
<span class="quiet small">${summaryOf(view)}</span></summary>
<div class="stack" role="group" aria-label="Choices of this source">
${view.problem === undefined ? '' : html`<p class="note warn" role="alert">${untrustedText(view.problem, 300)}</p>`}
${source.asked ? requestFacts(source.asked) : ''}
${accounts(source, choice, view.find)}
${presets(view)}
${time(view)}
<ul class="choices">${source.streams.map((stream) => streamItem(view, stream))}</ul>
<p class="without-script"><button class="button plain" name="decision" value="update" formaction="${view.action}#${id}">Show the result</button></p>
</div></details>`
}

function summaryOf({ source: { key, streams }, choice, preview }: SourceView): Markup {
  const counts = streams.map(({ maxGrant }) => preview.offered.get(previewKey(key, maxGrant.name)))
  const total = counts.reduce((sum, one) => sum + (one?.value ?? 0), 0)
  const counted = counts.every((one) => one && one.kind !== 'unknown')
  const amount = counted ? `${count(total)} records` : total > 0 ? `more than ${count(total)} records` : 'not counted'
  const all = `${streams.length === 1 ? '1 stream' : `${streams.length} streams`}, ${amount}`
  const chosen = choice.streams.size
  return html`${all} · ${chosen === 0 ? 'nothing chosen' : html`<span class="chosen">${chosen} of ${streams.length} chosen</span>`}`
}

function requestFacts({
  purposeCode,
  purposeDescription,
  retention,
  commitments,
}: NonNullable<OfferedSource['asked']>): Markup {
  const code = /^https:\/\/pdpp\.dev\/purpose\/(\w+)$/.exec(purposeCode)?.[1] ?? ''
  const purpose = Object.hasOwn(PURPOSES, code)
    ? html`${PURPOSES[code]}`
    : html`<code>${untrustedText(purposeCode, CLAIM_CHARS)}</code>`
  return html`<dl class="facts">
<div><dt>What for</dt><dd>${isTraining(purposeCode) ? html`<strong>${purpose}</strong>` : purpose}</dd></div>
${purposeDescription === undefined ? '' : html`<div><dt>In its own words</dt><dd>“${untrustedText(purposeDescription, CLAIM_CHARS)}”</dd></div>`}
${retention === undefined ? '' : html`<div><dt>It says it will ${retention.on_expiry === 'delete' ? 'delete' : 'anonymise'} it after</dt><dd>${durationText(retention.max_duration)}</dd></div>`}
${commitments.map((text) => html`<div><dt>It promises</dt><dd>“${untrustedText(text, CLAIM_CHARS)}”</dd></div>`)}
</dl>`
}

/** Accounts to tick. A source with only one account has no boxes. */
function accounts({ key, connections, declaration }: OfferedSource, choice: SourceChoice, find: string): Markup {
  const [only, another] = connections
  if (only && !another) {
    const name = only.displayName ?? only.connectionId
    const input = html`<input type="hidden" name="${FORM.connection(key)}" value="${only.connectionId}">`
    return name === declaration.display.name
      ? input
      : html`<p class="small quiet">Account: ${untrustedText(name, 80)}${input}</p>`
  }
  const many = connections.length > MANY_ACCOUNTS
  const rank = ({ connectionId, displayName }: (typeof connections)[number]) =>
    choice.connections.includes(connectionId)
      ? 0
      : matchesSearch(displayName ?? '', find) || matchesSearch(connectionId, find)
        ? 1
        : 2
  const inOrder = many ? connections.toSorted((a, b) => rank(a) - rank(b)) : connections
  return html`<fieldset class="ticks${many ? ' many' : ''}"><legend>${many ? `${count(connections.length)} accounts, ${count(choice.connections.length)} of them chosen` : 'Accounts'}</legend>
${inOrder.map(
  ({ connectionId, displayName }) =>
    html`<label class="tick"><input type="checkbox" id="${`c-${key}-${connectionId}`}" name="${FORM.connection(key)}" value="${connectionId}"${choice.connections.includes(connectionId) ? html` checked` : ''}><span>${untrustedText(displayName ?? connectionId, 80)}</span></label>`,
)}</fieldset>`
}

function presets({ action, source }: SourceView): Markup {
  const button = (preset: Preset, text: string) =>
    html`<button class="button plain chip" id="${`p-${source.key}-${preset}`}" name="preset" value="${`${source.key}:${preset}`}" formaction="${action}#source-${source.key}">${text}</button>`
  return html`<div class="chips" role="group" aria-label="Quick choices">
${source.streams.some(isDated) ? button('last_30_days', 'Last 30 days') : ''}
${button('metadata', 'Metadata only')}
${button('everything', source.asked ? 'Everything asked for' : 'Everything in this source')}
${button('nothing', 'Nothing')}</div>
<p class="small quiet">Metadata is who, when and where, without texts, titles or files.</p>`
}

function time({ source, choice }: SourceView): Markup {
  if (!source.streams.some(isDated)) return html``
  const input = (name: string, label: string, value: string) =>
    html`<label>${label} <input type="date" id="${name}" name="${name}" value="${value}"></label>`
  return html`<div class="dates">${input(FORM.from(source.key), 'From', choice.from)}${input(FORM.to(source.key), 'To', choice.to)}
<span class="small quiet">Leave empty to share everything, and later records too.</span></div>`
}

function streamItem({ source, choice, preview, problem, urls }: SourceView, stream: OfferedStream): Markup {
  const { key } = source
  const { declaration, maxGrant } = stream
  const chosen = choice.streams.get(maxGrant.name)
  const streamPreview = preview.shared.get(previewKey(key, maxGrant.name))
  const id = `s-${key}-${maxGrant.name}`
  // Ticked, but outside the chosen accounts or days.
  const outside = chosen !== undefined && streamPreview === undefined && problem === undefined
  return html`<li><label class="tick stream"><input type="checkbox" id="${id}" name="${FORM.stream(key)}" value="${maxGrant.name}"${chosen ? html` checked` : ''}>
<span><strong>${untrustedText(declaration.display?.label ?? maxGrant.name, 60)}</strong>${stream.sensitive && !source.sensitive ? html` <span class="badge warn">sensitive</span>` : ''}
<span class="amount">${outside ? 'nothing shared' : records(streamPreview?.count ?? preview.offered.get(previewKey(key, maxGrant.name)))}</span>
<span class="small quiet">${untrustedText(declaration.display?.detail ?? declaration.description ?? '', 200)}</span></span></label>
${limits(source, choice, stream, streamPreview !== undefined)}
${outside ? html`<p class="small quiet note-line">Nothing of it is shared: the request is for accounts or days that you did not choose.</p>` : ''}
${
  chosen === undefined
    ? ''
    : streamPreview === undefined
      ? keptFields(key, maxGrant.name, chosen)
      : html`<details class="fields-of" id="d-${id}"${choice.streams.size <= 2 ? html` open` : ''}><summary>${chosen.length} of ${Object.keys(declaration.schema['properties'] ?? {}).length} fields, with ${streamPreview.records.length === 1 ? 'a record' : 'records'} to look at</summary>
${sampleTable({ key, stream, preview: streamPreview, chosen, urls })}</details>`
}
</li>`
}

/** Keeps the chosen fields in the form while the stream shows no sample table, such as when no account is ticked. */
function keptFields(key: string, stream: string, fields: readonly string[]): Markup {
  const kept = fields.map((field) => html`<input type="hidden" name="${FORM.field(key, stream)}" value="${field}">`)
  return html`<input type="hidden" name="${FORM.listed(key)}" value="${stream}">${kept}`
}

/** Limits of this stream that the controls above do not show. */
function limits(source: OfferedSource, choice: SourceChoice, stream: OfferedStream, isShared: boolean): Markup {
  const { maxGrant } = stream
  const { since, until } = maxGrant.time_constraint ?? {}
  const notes = [
    since === undefined && until === undefined
      ? undefined
      : html`Asked for: ${since === undefined ? '' : html`from ${untrustedText(since, 40)} `}${until === undefined ? '' : html`before ${untrustedText(until, 40)}`}`,
    maxGrant.resources === undefined
      ? undefined
      : html`Asked for: only ${count(maxGrant.resources.length)} named records`,
    isShared && !isDated(stream) && choice.from + choice.to !== ''
      ? html`Has no dates, so all of it is shared, whatever the days above say.`
      : undefined,
    maxGrant.instance_ids.length < source.connections.length
      ? html`Only from: ${maxGrant.instance_ids.map((one, index) => html`${index === 0 ? '' : ', '}${untrustedText(nameOf(source, one), 80)}`)}`
      : undefined,
  ].filter((note) => note !== undefined)
  return html`${notes.map((note) => html`<p class="small quiet note-line">${note}</p>`)}`
}

/** The same name as in the list of accounts. */
function nameOf({ connections }: OfferedSource, id: string): string {
  return connections.find(({ connectionId }) => connectionId === id)?.displayName ?? id
}

function records(shown: PreviewCount | undefined): string {
  if (!shown || shown.kind === 'unknown') return 'not counted'
  const text = `${count(shown.value)} ${shown.value === 1 ? 'record' : 'records'}`
  return shown.kind === 'exact' ? text : `at most ${text}`
}

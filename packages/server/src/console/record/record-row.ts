import { formatResultId, parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { type Label, labelOf } from '../../search/evidence/label.ts'
import { moment } from '../frame/dates.ts'
import { kindOf, kindTile } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { recordPath, type ViewedAs } from './view-as-banner.ts'

const TEXT_NAMES = ['text', 'body', 'content', 'snippet', 'message', 'note', 'description', 'summary']
const TEXT_CHARS = 160

export interface RowOptions {
  readonly scope: ReadScope
  /** The name of its connection. */
  readonly sourceName: string
  readonly as: ViewedAs | undefined
  /** True for the record that the page shows. */
  readonly here?: boolean
}

/** One record in a list: its title, the start of its text, and who, where and when. */
export function recordRow(record: ScopedRecord, { scope, sourceName, as, here = false }: RowOptions): Markup {
  const data = parseJson(record.json) as Record<string, unknown>
  const label = labelOf(scope, data, sourceName)
  const id = formatResultId({ connectionId: record.connectionId, stream: scope.stream.name, recordKey: record.key })
  const text = TEXT_NAMES.map((name) => data[name]).find((value) => typeof value === 'string' && value !== '')
  const isNew = (one: string | undefined) => one !== undefined && !label.title.includes(one)
  const shown = {
    actor: isNew(label.actor) ? label.actor : undefined,
    container: isNew(label.container) && label.container !== sourceName ? label.container : undefined,
  }
  return html`<li class="row top-align${here ? ' here' : ''}">${kindTile(kindOf(scope.stream.name, `${scope.connectorKey} ${sourceName}`))}<div class="grow">
<p class="cut">${here ? html`<strong aria-current="true">${untrustedText(label.title)}</strong>` : html`<a class="row-title whole" href="${recordPath(id, as)}">${untrustedText(label.title)}</a>`}</p>
${text === undefined || text === label.title ? '' : html`<p class="small quiet text2">${untrustedText((text as string).slice(0, 4 * TEXT_CHARS).replace(/\s+/g, ' '), TEXT_CHARS)}</p>`}
${labelLine(shown)}</div>
${label.authoredAt === undefined ? '' : html`<span class="when">${when(label.authoredAt)}</span>`}</li>`
}

/** The author and the place, if known. */
export function labelLine(label: Pick<Label, 'actor' | 'container'>, more: readonly Markup[] = []): Markup {
  const parts = [
    ...(label.actor === undefined ? [] : [untrustedText(label.actor, 60)]),
    ...(label.container === undefined ? [] : [untrustedText(label.container, 60)]),
    ...more,
  ]
  if (parts.length === 0) return html``
  return html`<p class="small dim">${parts.map((part, index) => html`${index === 0 ? '' : ' · '}${part}`)}</p>`
}

export function when(text: string): Markup {
  const at = Date.parse(text)
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at) ? moment(at) : untrustedText(text, 60)
}

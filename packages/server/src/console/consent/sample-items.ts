import { parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { SourcePreview, StreamPreview } from '../../authorization/consent/preview.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { when } from '../record/record-row.ts'

const TEXT_NAMES = ['text', 'body', 'content', 'snippet', 'message', 'note', 'description', 'summary']
const TEXT_CHARS = 160

/** The newest items of the largest part of a source. They contain only fields that the client would read. */
export function sampleItems({ streams, counts }: SourcePreview, place: string): Markup {
  const size = (name: string) =>
    [...counts].reduce((sum, [key, number]) => sum + (key.startsWith(`${name}/`) ? number : 0), 0)
  const [shown] = [...streams.values()]
    .filter(({ records }) => records.length > 0)
    .toSorted((a, b) => size(b.scope.stream.name) - size(a.scope.stream.name))
  if (!shown) return html`<p class="small quiet">Nothing is here in these days. Later items would be shared.</p>`
  return html`<ul class="items" aria-label="The newest, as they would be read">${shown.records.map((record) => item(shown, record, place))}</ul>`
}

function item({ scope }: StreamPreview, record: ScopedRecord, place: string): Markup {
  const data = parseJson(record.json) as Record<string, unknown>
  const label = labelOf(scope, data, place)
  const text = TEXT_NAMES.map((name) => data[name]).find((value) => typeof value === 'string' && value !== '')
  // An item without a title shows its author instead, because its text and time are shown next to it.
  const title = label.actor !== undefined && label.title.startsWith(`${label.actor} / `) ? label.actor : label.title
  const about = [label.actor, label.container].filter((one) => one !== undefined && !title.includes(one)) as string[]
  return html`<li><span class="when">${label.authoredAt === undefined ? '' : when(label.authoredAt)}</span><span><b>${untrustedText(title, 80)}</b>${about.map((one) => html` · ${untrustedText(one, 40)}`)}
${text === undefined || text === title ? '' : html`<br>${untrustedText((text as string).slice(0, 4 * TEXT_CHARS).replace(/\s+/g, ' '), TEXT_CHARS)}`}</span></li>`
}

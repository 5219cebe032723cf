import { accessExtent, type Grant } from '@pdpp/protocol'
import type { WideningChoice } from '../../grants/widening/choice.ts'
import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { WideningSubject } from '../../grants/widening/subject.ts'
import { count } from '../frame/dates.ts'
import { preferences } from '../frame/preferences.ts'
import { plainText } from '../frame/untrusted-text.ts'
import { partWords } from './part.ts'
import type { PreviewedStream } from './preview.ts'

/** The whole choice in one sentence: what is added, for which period, until when, and how many items that is today. */
export function sumOf(
  subject: WideningSubject,
  choice: WideningChoice,
  draft: WideningDraft,
  preview: readonly PreviewedStream[],
): string {
  if (draft.changed.length === 0) return draft.problems[0] ?? 'Tick at least one thing.'
  const agent = plainText(subject.client.name, 80) || 'It'
  const chosen = subject.offer.filter(({ key }) => choice.parts.has(key))
  const extent = accessExtent({
    sources: chosen.map((part) => partWords(part, choice.parts.get(part.key)!.fields)),
    grants: draft.changed,
    timeZone: preferences().zone,
  })
  return `${agent} may ${subject.access ? 'also ' : ''}read ${extent}${amount(draft.changed, preview)}.`
}

function amount(changed: readonly Grant[], preview: readonly PreviewedStream[]): string {
  const streams = changed.reduce((sum, grant) => sum + grant.streams.length, 0)
  const counts = preview.map((one) => one.count)
  if (counts.length < streams || counts.includes(undefined)) return ''
  const total = counts.reduce<number>((sum, one) => sum + one!, 0)
  return `: ${count(total)} ${total === 1 ? 'item' : 'items'} today`
}

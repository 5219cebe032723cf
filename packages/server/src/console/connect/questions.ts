import { parseJson } from '@pdpp/protocol'
import type { Context } from '../../context.ts'
import type { ReadAuthority } from '../../grants/authority.ts'
import { type Authority, authoritiesOf } from '../../grants/authority.ts'
import type { SchemaSource } from '../../schema/schema-service.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { type Kind, kindOf, sourceWords } from '../frame/kind.ts'
import { authorityFor } from '../record/view-as.ts'

const MAX_QUESTIONS = 3
const LATEST = { limit: 40, maxBytes: 400_000 }
/** Max. streams that are examined, the largest first. */
const MAX_STREAMS = 6
const MAX_NAME = 60

/** The people, places and titles of a stream's latest items. */
interface Topic {
  readonly kind: Kind
  readonly source: string
  /** The person who occurs most often in these items. */
  readonly who: string | undefined
  /** The conversation, channel or folder that occurs most often in them. */
  readonly where: string | undefined
  /** The title of the latest item. */
  readonly title: string | undefined
}

/** Templates for each kind, the best first. A template is used only if the owner's data can fill it. */
const TEMPLATES: Partial<Record<Kind, readonly ((topic: Topic) => string | undefined)[]>> = {
  mail: [
    ({ who }) => who && `What did ${who} write to me about lately, and what do I still owe them?`,
    ({ title }) => title && `Summarise the mail "${title}" and what came of it.`,
  ],
  chat: [
    ({ who, where }) => who && where && `What did ${who} say in ${where} recently?`,
    ({ who }) => who && `What did ${who} and I talk about last?`,
    ({ where }) => where && `What was decided in ${where} this month?`,
  ],
  event: [
    ({ title }) => title && `What was "${title}" about, and who took part?`,
    ({ who }) => who && `When did I last meet ${who}?`,
    () => 'What did my last four weeks look like, week by week?',
  ],
  note: [({ title }) => title && `What did I note about "${title}", and what is still open?`],
  buy: [
    ({ who }) => who && `How much did I spend at ${who}, month by month?`,
    ({ source }) => `What did I spend most on, according to ${source}?`,
  ],
  music: [({ who }) => who && `When did I start listening to ${who}, and what did I play most?`],
  ai: [({ title }) => title && `What did I find out in the conversation "${title}"?`],
  people: [({ title }) => title && `What do you know about ${title} from my data?`],
  photo: [({ where }) => where && `When was I at ${where}, and what did I do there?`],
  place: [({ title }) => title && `When was I last at ${title}?`],
  web: [({ title }) => title && `What did I read about "${title}"?`],
  health: [({ source }) => `How did my ${source} change over the last year?`],
  file: [({ title, source }) => title && `What does ${source} say about "${title}"?`],
}

/** For every kind, if its own templates leave room. */
const GENERAL: readonly ((topic: Topic) => string)[] = [
  ({ source }) => `What happened in ${source} in the last month that I have?`,
  ({ source }) => `What do I have in ${source}, and since when?`,
]

/**
 * Questions that the agent can answer. They are templates filled from items that the agent may read, so no model is
 * needed.
 */
export async function questionsFor(context: Context, authority: Authority): Promise<string[]> {
  const sources = await context.schema.read(authoritiesOf(authority), {})
  const topics: Topic[] = []
  for (const stream of largestStreams(sources)) topics.push(await topicOf(context, authority, stream))
  const filled = topics.map(({ kind }, index) =>
    [...(TEMPLATES[kind] ?? []), ...GENERAL].map((template) => template(topics[index]!)),
  )
  // Takes the first question of each stream, then the second ones, and so on.
  const rounds = [0, 1, 2, 3].flatMap((round) => filled.map((questions) => questions.filter(Boolean)[round]))
  return [...new Set(rounds.filter((question): question is string => question !== undefined))].slice(0, MAX_QUESTIONS)
}

interface Candidate {
  readonly stream: string
  readonly connectionId: string
  readonly kind: Kind
  readonly source: string
  readonly count: number
}

function largestStreams(sources: readonly SchemaSource[]): Candidate[] {
  const all = sources.flatMap(({ declaration, named, streams }) =>
    streams.flatMap((stream) =>
      stream.statistics.map(({ connectionId, count }) => ({
        stream: stream.declaration.name,
        connectionId,
        kind: kindOf(stream.declaration.name, sourceWords(declaration)),
        source:
          named.find((one) => one.connectionId === connectionId)?.displayName ??
          declaration.display?.name ??
          declaration.connector_key,
        count,
      })),
    ),
  )
  const byKind = Map.groupBy(
    all.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count),
    ({ kind }) => kind,
  )
  return [...byKind.values()].map(([first]) => first!).slice(0, MAX_STREAMS)
}

async function topicOf(context: Context, authority: Authority, candidate: Candidate): Promise<Topic> {
  const { stream, connectionId, kind, source } = candidate
  const reader: ReadAuthority = authorityFor(authority, connectionId)
  const scope = await context.records.scope(reader, { stream, connectionId })
  const { rows } = await context.records.page(scope, LATEST)
  const labels = rows.map(({ json }) => labelOf(scope, parseJson(json) as Record<string, unknown>, source))
  return {
    kind,
    source,
    who: commonest(labels.map(({ actor }) => actor)),
    where: commonest(labels.map(({ container }) => (container === source ? undefined : container))),
    title: labels.map(({ title }) => title).find((title) => title.length <= MAX_NAME && !title.includes(' / ')),
  }
}

/** The text that occurs most often, if it occurs at least twice and is short enough for a question. */
function commonest(texts: readonly (string | undefined)[]): string | undefined {
  const counts = Map.groupBy(
    texts.filter((text) => text !== undefined && text.length <= MAX_NAME && !/[<>@]/.test(text)),
    (text) => text,
  )
  const [best] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return best !== undefined && best[1].length > 1 ? best[0] : undefined
}

// `npm run bench:questions` sends each question as one search and checks whether the result shows the answer. It uses
// no language model.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoOwner, demoRecords, type Fact } from '@pdpp/demo'
import { canonicalKey, formatResultId } from '@pdpp/protocol'
import { type AdapterServer, startAdapter } from '../tests/adapter/adapter-server.ts'
import { percent, table } from './report/markdown.ts'

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['who', /^who\b|\bby whom\b/i],
  ['what did somebody say', /\b(say|said|ask|asked)\b/i],
  ['what changed', /\b(change|changed|went wrong|slip|move from|moved|extended|delayed)\b/i],
  ['when', /^(when|at what time|on which day)\b/i],
  ['how many, how much', /^(by )?how\b|\b(cost|charge|pay|paid|score|number|time)\b/i],
  ['which', /^(which|in which|on which)\b/i],
  ['where', /^where\b/i],
  ['why', /^why\b/i],
  ['what', /./],
]
const FUNCTION_WORDS = new Set(
  's a an and are as at be by did do does end for from get how in is it its of on or she that the their there they to was were what when where which who whom why will with mira'.split(
    ' ',
  ),
)

export interface Outcome {
  readonly fact: Fact
  readonly kind: string
  /** Position of the first evidence among the hits, from 1. Undefined if it is not in the first hundred. */
  readonly rank: number | undefined
  /** True if the result of one search lists the evidence. */
  readonly shown: boolean
  /** True if that result contains every key word of the answer. */
  readonly answered: boolean
  /** True if the result, together with one fetch of each listed evidence, contains every key word. */
  readonly opened: boolean
  /** Number of content words of the question that the evidence contains, and of all content words. */
  readonly shared: number
  readonly words: number
}

export async function askAll(server: AdapterServer, texts: ReadonlyMap<string, string>): Promise<Outcome[]> {
  const facts = demoOwner.storylines.flatMap((storyline) => storyline.facts)
  const outcomes: Outcome[] = []
  for (const fact of facts) outcomes.push(await ask(server, fact, texts))
  return outcomes
}

const idsOf = ({ where }: Fact) =>
  where.map(({ connection_id, stream, key }) =>
    formatResultId({ connectionId: connection_id, stream, recordKey: canonicalKey([key].flat()) }),
  )

async function ask(server: AdapterServer, fact: Fact, texts: ReadonlyMap<string, string>): Promise<Outcome> {
  const { text } = await server.call('search', { query: fact.question })
  const evidence = idsOf(fact)
  const listedIds = evidence.filter((id) => text.includes(`${id} ·`))
  const documents = await Promise.all(listedIds.map((id) => server.call('fetch', { id })))
  const words = contentWords(fact.question)
  const evidenceText = evidence
    .map((id) => texts.get(id) ?? '')
    .join(' ')
    .toLowerCase()
  return {
    fact,
    kind: KINDS.find(([, pattern]) => pattern.test(fact.question))![0],
    rank: await rankOf(server, fact.question, evidence),
    shown: listedIds.length > 0,
    answered: has(text, fact.key_words),
    opened: has([text, ...documents.map((document) => document.structured['text'])].join(' '), fact.key_words),
    shared: words.filter((word) => evidenceText.includes(word)).length,
    words: words.length,
  }
}

const has = (text: string, words: readonly string[]) => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word.toLowerCase()))
}

/** Content words without common English endings. */
const contentWords = (question: string) =>
  (question.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [])
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map((word) => (word.length > 5 ? word.replace(/(?:'s|s|ed|ing)$/, '') : word))

async function rankOf(server: AdapterServer, query: string, evidence: readonly string[]): Promise<number | undefined> {
  let cursor: string | undefined
  for (let before = 0; before < 100; ) {
    const { structured } = await server.call('search', { query, limit: 25, ...(cursor ? { cursor } : {}) })
    const ids: string[] = structured['results'].map(({ id }: { id: string }) => id)
    const at = ids.findIndex((id) => evidence.includes(id))
    if (at >= 0) return before + at + 1
    before += ids.length
    cursor = structured['data'].next_cursor
    if (cursor === undefined || ids.length === 0) return
  }
  return
}

export function recordTexts(): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { connection_id, stream, key, data } of demoRecords())
    texts.set(
      formatResultId({ connectionId: connection_id, stream, recordKey: canonicalKey([key].flat()) }),
      JSON.stringify(data),
    )
  return texts
}

function report(outcomes: readonly Outcome[]): string {
  const row = (name: string, some: readonly Outcome[]) => {
    const share = (pick: (outcome: Outcome) => boolean) => {
      const count = some.filter(pick).length
      return `${count} (${percent(count / some.length)})`
    }
    return [
      name,
      String(some.length),
      share(({ shown }) => shown),
      share(({ answered }) => answered),
      share(({ opened }) => opened),
    ]
  }
  const byKind = Map.groupBy(outcomes, ({ kind }) => kind)
  const missed = outcomes.filter(({ shown }) => !shown).sort((a, b) => (a.rank ?? 999) - (b.rank ?? 999))
  return `# Questions about the demo owner

Written by \`npm run bench:questions\`. Each of the ${outcomes.length} facts of the demo's storylines has a question. The question is sent unchanged, as one
\`search\` through the hosted adapter. Only the text of the result counts. Evidence shown: the hits include a record with the answer.
Answer in the text: the text contains every key word of the answer. After fetch: the text and the fetched evidence together contain them.

${table(
  ['kind of question', 'asked', 'evidence shown', 'answer in the text', 'after fetch'],
  [
    ...KINDS.map(([name]) => row(name, byKind.get(name) ?? [])).filter(([, asked]) => asked !== '0'),
    row('**all**', outcomes),
  ],
)}

## Questions without evidence in the result

Words: how many content words of the question occur in the evidence unchanged. If there are none, the question and its answer use different languages
or different words, so a word index cannot find the answer.

${table(
  ['question', 'rank', 'words'],
  missed.map(({ fact, rank, shared, words }) => [
    fact.question,
    rank === undefined ? 'over 100' : String(rank),
    `${shared} of ${words}`,
  ]),
)}
`
}

if (import.meta.main) {
  const server = await startAdapter('demo')
  try {
    const text = report(await askAll(server, recordTexts()))
    writeFileSync(join(import.meta.dirname, 'questions.md'), text)
    process.stdout.write(text)
  } finally {
    await server.close()
  }
}

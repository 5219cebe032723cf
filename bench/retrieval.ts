// `node bench/retrieval.ts [number of questions]`: measures how well natural questions find the texts that answer them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './report/markdown.ts'
import { timingOf } from './report/measure.ts'
import { type CorpusDocument, type CorpusQuestion, corporaFolder, readCorpus } from './retrieval/retrieval-corpora.ts'
import { ownSearches, plainSearch, type Search } from './retrieval/retrieval-index.ts'

const LIMIT = 10
const HEAD = ['search', 'questions', 'hit@3', 'hit@10', 'nDCG@10', 'p50 ms', 'p95 ms']
const ENGINES: readonly (readonly [string, (documents: readonly CorpusDocument[]) => Search])[] = [
  ['plain FTS5, text', (documents) => plainSearch(documents, ['text'])],
  ['plain FTS5, all fields', (documents) => plainSearch(documents, ['text', 'author', 'conversation'])],
  ['ours', (documents) => ownSearches(documents)()],
]

const folder = corporaFolder()
if (!folder) {
  console.log('retrieval: skipped, the collections are not here (PDPP_CORPORA names the folder that holds retrieval/)')
  process.exit(0)
}
const maxQuestions = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
const report = `# Finding what answers a question

Written by \`node bench/retrieval.ts\`. Plain FTS5: \`unicode61\`, words joined with OR, ranked by bm25.

## qmsum: turns of meetings, questions as asked

${meetings(folder)}

## friendsqa: turns of conversations, questions as asked

${conversations(folder)}

## xquad: paragraphs, search within one language

${languages(folder)}
`
console.log(report)
if (maxQuestions === Number.POSITIVE_INFINITY) writeFileSync(join(import.meta.dirname, 'retrieval.md'), report)

function meetings(from: string): string {
  const { documents, questions } = readCorpus(from, 'qmsum')
  const sampled = sample(questions)
  const byMeeting = Map.groupBy(documents, ({ conversation }) => conversation!)
  const rows = ENGINES.flatMap(([name, open]) => {
    const everything = open(documents)
    const inside = new Map(
      [...new Set(sampled.map((question) => question.conversation!))].map((meeting) => [
        meeting,
        open(byMeeting.get(meeting)!),
      ]),
    )
    return [
      row(`everything: ${name}`, sampled, () => everything),
      row(`right meeting: ${name}`, sampled, (question) => inside.get(question.conversation!)!),
    ]
  })
  return table(
    HEAD,
    rows.sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
  )
}

function conversations(from: string): string {
  const { documents, questions } = readCorpus(from, 'friendsqa')
  const sampled = sample(questions)
  return table(
    HEAD,
    ENGINES.map(([name, open]) => {
      const search = open(documents)
      return row(name, sampled, () => search)
    }),
  )
}

function languages(from: string): string {
  const { documents, questions } = readCorpus(from, 'xquad')
  const byLanguage = Map.groupBy(documents, ({ id }) => id.slice(0, 2))
  const rows = [...byLanguage].sort().flatMap(([language, texts]) => {
    const sampled = sample(questions.filter(({ category }) => category === language))
    return ENGINES.filter(([name]) => !name.includes('all fields')).map(([name, open]) => {
      const search = open(texts)
      return row(`${language}: ${name}`, sampled, () => search)
    })
  })
  return table(HEAD, rows)
}

function row(name: string, questions: readonly CorpusQuestion[], searchFor: (question: CorpusQuestion) => Search) {
  const times: number[] = []
  let [hit3, hit10, gain] = [0, 0, 0]
  for (const question of questions) {
    const search = searchFor(question)
    const started = performance.now()
    const found = search(question.query, LIMIT)
    times.push(performance.now() - started)
    const relevant = new Set(question.relevant)
    const first = found.findIndex((id) => relevant.has(id))
    if (first >= 0 && first < 3) hit3++
    if (first >= 0) hit10++
    gain += ndcg(
      found.map((id) => relevant.has(id)),
      relevant.size,
    )
  }
  const share = (count: number) => (count / questions.length).toFixed(3)
  const { p50, p95 } = timingOf(times)
  return [name, String(questions.length), share(hit3), share(hit10), share(gain), p50.toFixed(2), p95.toFixed(2)]
}

function ndcg(found: readonly boolean[], relevant: number): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2)
  const best = Array.from({ length: Math.min(LIMIT, relevant) }, (_, rank) => discount(rank))
  const got = found.map((hit, rank) => (hit ? discount(rank) : 0))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return sum(got) / sum(best)
}

/** Takes questions from the whole list, so that a quick run includes every kind. */
function sample(questions: readonly CorpusQuestion[]): readonly CorpusQuestion[] {
  const step = Math.max(1, questions.length / maxQuestions)
  return Array.from(
    { length: Math.min(maxQuestions, questions.length) },
    (_, index) => questions[Math.floor(index * step)]!,
  )
}

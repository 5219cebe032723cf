// `npm run mutations` breaks the source in many small ways and checks that a test fails each time. With `-- word` it
// tries only the breaks that have this word in their id, file or description. With `-- --check` it runs no tests and
// only checks that every break still fits the source.
import { availableParallelism } from 'node:os'
import type { Break } from './break.ts'
import { breaks } from './breaks.ts'
import { misfit, Tree } from './tree.ts'
import { endTests, runTests, type TestRun } from './vitest-run.ts'

type Verdict = 'noticed' | 'SURVIVED' | 'NO TEST FAILED, BUT NONE RAN' | 'DOES NOT FIT' | 'FAILS UNBROKEN'

const MAX_TREES = 4

interface Outcome {
  readonly mutation: Break
  readonly verdict: Verdict
  readonly detail: string
}

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const checkOnly = process.argv.includes('--check')
const chosen = breaks.filter((mutation) =>
  words.every((word) =>
    `${mutation.id} ${mutation.file} ${mutation.what} ${mutation.tests[0]}`.toLowerCase().includes(word.toLowerCase()),
  ),
)

const trees = new Set<Tree>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endTests()
    for (const tree of trees) tree.remove()
    process.exit(1)
  })

const outcomes: Outcome[] = []
const fitting: Break[] = []
for (const mutation of chosen) {
  const reason = misfit(mutation)
  if (reason === undefined) fitting.push(mutation)
  else outcomes.push({ mutation, verdict: 'DOES NOT FIT', detail: reason })
}
if (!checkOnly) outcomes.push(...(await tryAll(fitting)))
report(outcomes)
process.exitCode = chosen.length > 0 && outcomes.every(({ verdict }) => verdict === 'noticed') ? 0 : 1

/** Tries the breaks in parallel, each in a copy of the source. Their tests must first pass without the break. */
async function tryAll(all: readonly Break[]): Promise<Outcome[]> {
  const queue = [...all].sort((a, b) => (a.tests[0] < b.tests[0] ? -1 : 1))
  const results: Outcome[] = []
  const unbrokenRuns = new Map<string, Promise<TestRun>>()
  const workers = Math.max(1, Math.min(availableParallelism(), MAX_TREES, queue.length))
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const tree = new Tree()
      trees.add(tree)
      try {
        for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
          const outcome = await tryOne(tree, mutation, unbrokenRuns)
          results.push(outcome)
          console.log(`${results.length}/${all.length} ${outcome.verdict}: ${mutation.id} ${mutation.what}`)
        }
      } finally {
        trees.delete(tree)
        tree.remove()
      }
    }),
  )
  return results
}

async function tryOne(tree: Tree, mutation: Break, unbrokenRuns: Map<string, Promise<TestRun>>): Promise<Outcome> {
  const [file, names] = mutation.tests
  if (!unbrokenRuns.has(file)) unbrokenRuns.set(file, runWithoutBreak(tree, file))
  const fault = faultOf(await unbrokenRuns.get(file)!, names)
  if (fault !== undefined) return { mutation, verdict: 'FAILS UNBROKEN', detail: fault }
  const { passed, failed, output } = await tree.withBreak(mutation, () => runTests(tree, file, names))
  if (failed.length > 0) return { mutation, verdict: 'noticed', detail: failed[0]! }
  if (passed.length > 0) return { mutation, verdict: 'SURVIVED', detail: `${passed.length} tests passed: ${passed[0]}` }
  return { mutation, verdict: 'NO TEST FAILED, BUT NONE RAN', detail: output.slice(-1500) }
}

/** Runs the tests of all breaks of a file without a break. This is done once for each file. */
function runWithoutBreak(tree: Tree, file: string): Promise<TestRun> {
  const names = chosen.filter(({ tests }) => tests[0] === file).map(({ tests }) => `(?:${tests[1]})`)
  return runTests(tree, file, [...new Set(names)].join('|'))
}

function faultOf({ passed, failed, output }: TestRun, names: string): string | undefined {
  const named = (list: readonly string[]) => list.filter((name) => new RegExp(names).test(name))
  if (named(failed).length > 0) return `${named(failed).join(', ')}\n${output.slice(-1500)}`
  return named(passed).length > 0 ? undefined : `no test that passes is called ${names}\n${output.slice(-1500)}`
}

function report(all: readonly Outcome[]): void {
  const width = Math.max(...all.map(({ mutation }) => mutation.id.length), 2)
  console.log()
  for (const { mutation, verdict } of [...all].sort((a, b) => (a.mutation.id < b.mutation.id ? -1 : 1)))
    console.log(`${mutation.id.padEnd(width)}  ${verdict === 'noticed' ? 'noticed ' : verdict}  ${mutation.what}`)
  for (const { mutation, verdict, detail } of all)
    if (verdict !== 'noticed')
      console.log(
        `\n${verdict}: ${mutation.id} ${mutation.what}\n  ${mutation.file}\n  ${mutation.tests.join(' -t ')}\n  ${detail}`,
      )
  const noticed = all.filter(({ verdict }) => verdict === 'noticed').length
  if (checkOnly) console.log(`${chosen.length - all.length} of ${chosen.length} breaks fit the source.`)
  else console.log(`\n${noticed} of ${chosen.length} breaks were noticed.`)
}

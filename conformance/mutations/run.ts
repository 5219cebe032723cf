// Does a test notice when a behaviour is taken away? `npm run mutations`, or `npm run mutations -- word` for those with the
// word in their id, file or description. `--check` only looks whether every break still fits the source.
import { availableParallelism } from 'node:os'
import type { Break } from './break.ts'
import { breaks } from './breaks.ts'
import { misfit, Tree } from './tree.ts'
import { endTests, type Ran, runTests } from './vitest-run.ts'

type Verdict = 'noticed' | 'SURVIVED' | 'NO TEST FAILED, BUT NONE RAN' | 'DOES NOT FIT' | 'FAILS UNBROKEN'

const MAX_TREES = 4

interface Outcome {
  readonly made: Break
  readonly verdict: Verdict
  readonly detail: string
}

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const checkOnly = process.argv.includes('--check')
const chosen = breaks.filter((made) =>
  words.every((word) =>
    `${made.id} ${made.file} ${made.what} ${made.tests[0]}`.toLowerCase().includes(word.toLowerCase()),
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
for (const made of chosen) {
  const reason = misfit(made)
  if (reason === undefined) fitting.push(made)
  else outcomes.push({ made, verdict: 'DOES NOT FIT', detail: reason })
}
if (!checkOnly) outcomes.push(...(await tryAll(fitting)))
report(outcomes)
process.exitCode = chosen.length > 0 && outcomes.every(({ verdict }) => verdict === 'noticed') ? 0 : 1

/** Side by side, each in a tree of its own; what must fail with a break has to pass without it first. */
async function tryAll(all: readonly Break[]): Promise<Outcome[]> {
  const queue = [...all].sort((a, b) => (a.tests[0] < b.tests[0] ? -1 : 1))
  const found: Outcome[] = []
  const whole = new Map<string, Promise<Ran>>()
  const workers = Math.max(1, Math.min(availableParallelism(), MAX_TREES, queue.length))
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const tree = new Tree()
      trees.add(tree)
      try {
        for (let made = queue.shift(); made; made = queue.shift()) {
          const outcome = await tryOne(tree, made, whole)
          found.push(outcome)
          console.log(`${found.length}/${all.length} ${outcome.verdict}: ${made.id} ${made.what}`)
        }
      } finally {
        trees.delete(tree)
        tree.remove()
      }
    }),
  )
  return found
}

async function tryOne(tree: Tree, made: Break, whole: Map<string, Promise<Ran>>): Promise<Outcome> {
  const [file, names] = made.tests
  if (!whole.has(file)) whole.set(file, unbroken(tree, file))
  const fault = faultOf(await whole.get(file)!, names)
  if (fault !== undefined) return { made, verdict: 'FAILS UNBROKEN', detail: fault }
  const { passed, failed, output } = await tree.broken(made, () => runTests(tree, file, names))
  if (failed.length > 0) return { made, verdict: 'noticed', detail: failed[0]! }
  if (passed.length > 0) return { made, verdict: 'SURVIVED', detail: `${passed.length} tests passed: ${passed[0]}` }
  return { made, verdict: 'NO TEST FAILED, BUT NONE RAN', detail: output.slice(-1500) }
}

/** Once for each file, with the tests of all its breaks. */
function unbroken(tree: Tree, file: string): Promise<Ran> {
  const names = chosen.filter(({ tests }) => tests[0] === file).map(({ tests }) => `(?:${tests[1]})`)
  return runTests(tree, file, [...new Set(names)].join('|'))
}

function faultOf({ passed, failed, output }: Ran, names: string): string | undefined {
  const named = (list: readonly string[]) => list.filter((name) => new RegExp(names).test(name))
  if (named(failed).length > 0) return `${named(failed).join(', ')}\n${output.slice(-1500)}`
  return named(passed).length > 0 ? undefined : `no test that passes is called ${names}\n${output.slice(-1500)}`
}

function report(all: readonly Outcome[]): void {
  const width = Math.max(...all.map(({ made }) => made.id.length), 2)
  console.log()
  for (const { made, verdict } of [...all].sort((a, b) => (a.made.id < b.made.id ? -1 : 1)))
    console.log(`${made.id.padEnd(width)}  ${verdict === 'noticed' ? 'noticed ' : verdict}  ${made.what}`)
  for (const { made, verdict, detail } of all)
    if (verdict !== 'noticed')
      console.log(`\n${verdict}: ${made.id} ${made.what}\n  ${made.file}\n  ${made.tests.join(' -t ')}\n  ${detail}`)
  const noticed = all.filter(({ verdict }) => verdict === 'noticed').length
  if (checkOnly) console.log(`${chosen.length - all.length} of ${chosen.length} breaks fit the source.`)
  else console.log(`\n${noticed} of ${chosen.length} breaks were noticed.`)
}

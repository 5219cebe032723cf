// `npm run conformance`: the official suite on both revisions, against the product and against its transport with
// fixtures, and its scenarios for authorization servers against ours.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { smallSource } from '../../tests/adapter/small-data.ts'
import { runAuthorization } from './authorization.ts'
import { bearerProxy } from './bearer-proxy.ts'
import { reasonFor } from './explanations.ts'
import { fixtureTransport } from './fixture-transport.ts'

const here = import.meta.dirname
const suite = join(here, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const REVISIONS = ['2026-07-28', '2025-11-25'] as const

export interface Outcome {
  readonly passed: number
  readonly failed: readonly string[]
}
type Outcomes = Map<string, Outcome>

if (!existsSync(suite)) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const adapter = await startAdapter([smallSource])
const proxy = await bearerProxy(adapter.url, adapter.token)
const fixtures = await fixtureTransport()
const runs: { name: string; outcomes: Outcomes }[] = []
let authorization: Outcomes = new Map()
try {
  authorization = await outcomesIn((folder) => runAuthorization(adapter.server, suite, folder))
  for (const revision of REVISIONS) {
    runs.push({ name: `product ${revision}`, outcomes: await runSuite(proxy.url, revision) })
    runs.push({ name: `fixtures ${revision}`, outcomes: await runSuite(fixtures.url, revision) })
  }
} finally {
  proxy.close()
  fixtures.close()
  await adapter.close()
}
const { text, unexplained } = report()
writeFileSync(join(here, 'results.md'), text)
process.stdout.write(text)
if (unexplained.length > 0) {
  process.stderr.write(`Failures without an explanation:\n${unexplained.join('\n')}\n`)
  process.exitCode = 1
}
// The suite's clients may have left connections open.
process.exit()

function runSuite(url: string, revision: string): Promise<Outcomes> {
  return outcomesIn(async (folder) => {
    const args = [suite, 'server', '--url', `${url}/mcp`, '--requirements', revision, '-o', folder]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 120_000 })
    await new Promise((resolve) => child.once('exit', resolve))
  })
}

/** What a run of the suite leaves in its folder. */
async function outcomesIn(run: (folder: string) => Promise<void>): Promise<Outcomes> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-conformance-'))
  await run(folder)
  const outcomes: Outcomes = new Map()
  for (const path of globSync('*/checks.json', { cwd: folder })) {
    const scenario = path.replace(/^(authorization-server|server)-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    const checks = JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
      status: string
      id: string
      errorMessage?: string
    }[]
    const failed = checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`)
    outcomes.set(scenario, { passed: checks.filter(({ status }) => status === 'SUCCESS').length, failed })
  }
  rmSync(folder, { recursive: true, force: true })
  if (outcomes.size === 0) throw new Error('The suite left no results.')
  return outcomes
}

function report(): { text: string; unexplained: string[] } {
  const scenarios = [...new Set(runs.flatMap(({ outcomes }) => [...outcomes.keys()]))].sort()
  const unexplained: string[] = []
  const rows = scenarios.map((scenario) => {
    const cells = runs.map(({ outcomes }) => {
      const outcome = outcomes.get(scenario)
      if (!outcome) return ''
      return outcome.failed.length === 0
        ? `${outcome.passed}`
        : `${outcome.passed}, **${outcome.failed.length} failed**`
    })
    const reasons = runs.flatMap(({ name, outcomes }) =>
      (outcomes.get(scenario)?.failed ?? []).map((failure) => {
        const reason = reasonFor(name, scenario, failure)
        if (reason === undefined) unexplained.push(`${name}, ${scenario}: ${failure}`)
        return reason ?? '**not explained**'
      }),
    )
    return `| ${[scenario, ...cells, [...new Set(reasons)].join(' ')].join(' | ')} |`
  })
  const totals = runs.map(({ outcomes }) => {
    const all = [...outcomes.values()]
    const failed = all.reduce((sum, outcome) => sum + outcome.failed.length, 0)
    return `${all.reduce((sum, { passed }) => sum + passed, 0)}, ${failed} failed`
  })
  const asked = [...authorization].toSorted().map(([scenario, { passed, failed }]) => {
    unexplained.push(...failed.map((failure) => `authorization server, ${scenario}: ${failure}`))
    return `| ${scenario} | ${passed} | ${failed.join(' ') || 'none'} |`
  })
  const head = ['scenario', ...runs.map(({ name }) => name), 'why']
  return {
    unexplained,
    text: `# The official conformance suite

Written by \`npm run conformance\` with \`@modelcontextprotocol/conformance\` 0.2.0-alpha.12. Numbers are checks that passed; an empty cell is a scenario that the
revision does not have. *Product* is \`POST /mcp\` as it is, behind a proxy that adds a token. *Fixtures* is the same transport with the tools, resources and
prompts that most scenarios ask a server to have; they are mounted in this folder alone.

| ${head.join(' | ')} |
| ${head.map(() => '---').join(' | ')} |
${rows.join('\n')}
| **all** | ${totals.join(' | ')} | |

## The authorization server

The suite's two scenarios for authorization servers, which are the same for every revision. Its client registers as any other does, asks for a token
for \`/mcp\`, and the owner allows one source on the consent page. The other scenarios about authorization (\`auth/...\`) test clients.

| scenario | checks passed | failed |
| --- | --- | --- |
${asked.join('\n')}
`,
  }
}

// `npm run conformance` runs the official suite on both revisions, against the product and against its transport with
// fixtures. It also runs the suite's scenarios for authorization servers against ours.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { smallSource } from '../../tests/adapter/small-data.ts'
import { runAuthorization } from './authorization.ts'
import { bearerProxy } from './bearer-proxy.ts'
import { fixtureTransport } from './fixture-transport.ts'
import { type Ending, type Outcomes, outcomesOf } from './outcomes.ts'
import { type NamedRun, report } from './report.ts'

const here = import.meta.dirname
const suite = join(here, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
/** Each revision with the number of its scenarios. Without the number, a missing scenario would not be noticed. */
const REVISIONS = [
  ['2026-07-28', 50],
  ['2025-11-25', 33],
] as const
const AUTHORIZATION_SCENARIOS = 2
const MAX_MS = 240_000

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
const runs: NamedRun[] = []
let authorization: Outcomes = new Map()
try {
  authorization = await outcomesOf('authorization server', AUTHORIZATION_SCENARIOS, (folder) =>
    runAuthorization(adapter.server, suite, folder),
  )
  for (const [revision, scenarios] of REVISIONS)
    for (const [kind, { url }] of [
      ['product', proxy],
      ['fixtures', fixtures],
    ] as const) {
      const name = `${kind} ${revision}`
      const outcomes = await outcomesOf(name, scenarios, (folder) => runSuite(url, revision, folder))
      runs.push({ name, outcomes })
    }
} finally {
  proxy.close()
  fixtures.close()
  await adapter.close()
}
const { text, unexplained, unused } = report(runs, authorization)
writeFileSync(join(here, 'results.md'), text)
process.stdout.write(text)
for (const [what, list] of [
  ['Without an explanation', unexplained],
  ['Explained, but no longer there', unused],
] as const) {
  if (list.length === 0) continue
  process.stderr.write(`${what}:\n${list.join('\n')}\n`)
  process.exitCode = 1
}
// Exit explicitly, because clients of the suite may have left connections open.
process.exit()

function runSuite(url: string, revision: string, folder: string): Promise<Ending> {
  const args = [suite, 'server', '--url', `${url}/mcp`, '--requirements', revision, '-o', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: MAX_MS })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

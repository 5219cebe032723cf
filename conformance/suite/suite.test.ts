import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXCUSES } from './excuses.ts'
import { type Outcomes, requireWhole, type SuiteCheck } from './outcomes.ts'
import { report } from './report.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('the suite is locked without the address of a registry', () => {
  const lock = read('conformance/suite/package-lock.json')
  expect(JSON.parse(lock).packages['node_modules/@modelcontextprotocol/conformance'].version).toBe('0.2.0-alpha.12')
  expect(lock).not.toContain('"resolved"')
})

const results = read('conformance/suite/results.md')
/** The cells of each row: the scenario, the four runs and the reason. */
const rows = [
  ...results.matchAll(/^\| (?!scenario )([a-z]\S*) \|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\| *(.*?) \|$/gm),
].map(([, ...cells]) => cells.map((cell) => cell!.trim()))

test('the committed results explain every scenario that did not pass', () => {
  expect(results).not.toContain('not explained')
  const runs = [1, 2, 3, 4].map((run) => rows.filter((row) => row[run] !== '').length)
  expect(runs).toEqual([50, 50, 33, 33])
  const open = /failed|warning|skipped/
  for (const row of rows) if (row.slice(1, 5).some((cell) => open.test(cell))) expect(row[5], row[0]).not.toBe('')
  // A scenario in which nothing was checked must not be shown as a number.
  expect(rows.flatMap((row) => row.slice(1, 5)).filter((cell) => /^0(,(?!.*failed)|$)/.test(cell))).toEqual([])
  const own = new Map(rows.map((row) => [row[0], `${row[1]} ${row[3]}`]))
  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
    'http-header-validation',
  ])
    expect(own.get(scenario), scenario).not.toMatch(/failed|warning|skipped|undefined/)
})

test('the authorization server passes all checks of the suite', () => {
  const [, section = ''] = results.split('\n## The authorization server\n')
  const passed = [...section.matchAll(/^\| ([a-z]\S*) \| (\d+) \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  expect(passed).toEqual([
    ['authorization-code-grant', '1', 'none'],
    ['authorization-server-metadata-endpoint', '2', 'none'],
  ])
})

const outcomes = (checks: SuiteCheck[]): Outcomes => new Map([['ping', checks]])

test('a suite that crashes or leaves out scenarios fails the run', () => {
  const good = outcomes([{ status: 'SUCCESS', id: 'ping' }])
  const bad = outcomes([{ status: 'FAILURE', id: 'ping' }])
  const ended =
    (code: number | null, signal: NodeJS.Signals | null, found: Outcomes, scenarios = 1) =>
    () =>
      requireWhole('product', scenarios, { code, signal }, found)
  expect(ended(0, null, good)).not.toThrow()
  expect(ended(1, null, bad)).not.toThrow()
  expect(ended(1, null, good)).toThrow(/ended with 1/)
  expect(ended(0, null, bad)).toThrow(/ended with 0/)
  expect(ended(null, 'SIGTERM', bad)).toThrow(/ended with SIGTERM/)
  expect(ended(0, null, good, 2)).toThrow(/1 scenarios were run, and 2 are known/)
})

test('an excuse covers only the check and the text that it names', () => {
  for (const { scenario, check, says } of EXCUSES) {
    expect(check, scenario).toMatch(/^[a-z][\w-]+$/)
    expect(says.test('something else went wrong'), `${scenario} ${check}`).toBe(false)
  }
  const shown = (status: SuiteCheck['status'], errorMessage: string, id = 'prompts-list') =>
    report(
      [{ name: 'product 2026-07-28', outcomes: new Map([['prompts-list', [{ status, id, errorMessage }]]]) }],
      new Map(),
    )
  expect(shown('FAILURE', 'Failed: Method not found').unexplained).toEqual([])
  expect(shown('FAILURE', 'Failed: something else').unexplained).toHaveLength(1)
  expect(shown('FAILURE', 'Failed: Method not found', 'another-check').unexplained).toHaveLength(1)
  for (const status of ['WARNING', 'SKIPPED'] as const) {
    const { unexplained, text } = shown(status, 'it did not like it')
    expect(unexplained).toHaveLength(1)
    expect(text).toContain('| prompts-list | nothing checked, 1 ')
  }
  // An excuse that is not needed is reported as well.
  expect(shown('SUCCESS', '').unused).toHaveLength(EXCUSES.length)
})

test('the product never imports the fixtures', () => {
  const files = globSync('packages/*/{src,bin}/**/*.{ts,mjs}', {
    cwd: root,
    exclude: (path) => /node_modules|\.(?:test|cases|fixture)\.ts$/.test(String(path)),
  })
  expect(files.length).toBeGreaterThan(100)
  for (const file of files)
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/from '[^']*(?:conformance|tests)\//)
})

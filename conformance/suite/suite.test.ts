import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('the suite is locked without the address of a registry', () => {
  const lock = read('conformance/suite/package-lock.json')
  expect(JSON.parse(lock).packages['node_modules/@modelcontextprotocol/conformance'].version).toBe('0.2.0-alpha.12')
  expect(lock).not.toContain('"resolved"')
})

test('every failure in the committed results is explained, and what needs no fixture passes', () => {
  const results = read('conformance/suite/results.md')
  expect(results).not.toContain('not explained')
  const failing = [...results.matchAll(/^\| ([a-z]\S*) \|([^|]*)\|[^|]*\|([^|]*)\|[^|]*\| *(.*?) \|$/gm)]
  expect(failing.length).toBeGreaterThan(40)
  for (const [row, , first, second, why] of failing) if (/failed/.test(first! + second!)) expect(why, row).not.toBe('')
  const own = new Map(failing.map(([, scenario, first, second]) => [scenario, `${first}${second}`]))
  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
    'http-header-validation',
  ])
    expect(own.get(scenario), scenario).not.toMatch(/failed|undefined/)
})

test('the authorization server passes what the suite asks of one', () => {
  const [, section = ''] = read('conformance/suite/results.md').split('\n## The authorization server\n')
  const rows = [...section.matchAll(/^\| ([a-z]\S*) \| (\d+) \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  expect(rows).toEqual([
    ['authorization-code-grant', '1', 'none'],
    ['authorization-server-metadata-endpoint', '2', 'none'],
  ])
})

test("the fixtures are out of the product's reach", () => {
  const files = globSync('packages/*/{src,bin}/**/*.{ts,mjs}', {
    cwd: root,
    exclude: (path) => String(path).includes('node_modules'),
  })
  expect(files.length).toBeGreaterThan(100)
  for (const file of files)
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(/from '[^']*(?:conformance|tests)\//)
})

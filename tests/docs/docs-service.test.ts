// docs/running-as-a-service.md: its variables exist, and the server does behind a proxy what the page promises.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPdpp, temporaryDirectory } from '../fixtures/processes.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8')
const page = read('docs/running-as-a-service.md')
const names = (text: string) => [...new Set(text.match(/\bPDPP_[A-Z_]+|\bPORT\b/g))].sort()
const block = (language: string, holding = '') =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
    .map(([, text]) => text!)
    .find((text) => text.includes(holding))!

/** The variables that the service sets for itself. */
const settings = Object.fromEntries(
  [...block('ini', '[Service]').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
)

test('every variable is one that docs/configuration.md describes', () => {
  const described = [...read('docs/configuration.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
  expect(names(page).length).toBeGreaterThan(5)
  expect(names(page).filter((name) => !described.includes(name))).toEqual([])
})

test('the programs that are started are those of the package', () => {
  const { name, bin } = JSON.parse(read('packages/cli/package.json'))
  const started = [...page.matchAll(/node_modules\/(@[\w-]+\/[\w-]+)\/(\S+\.mjs)/g)]
  expect(started).toHaveLength(2)
  for (const [, from, file] of started) expect([from, file]).toEqual([name, bin.pdpp])
})

test("with the page's settings it works behind a proxy", async () => {
  const { PDPP_DATA_DIR: _, ...env } = settings
  expect(Object.keys(env)).toEqual(['PDPP_PUBLIC_URL', 'PDPP_TRUSTED_PROXIES'])
  const password = /^PDPP_OWNER_PASSWORD="(.*)"$/m.exec(page)![1]!
  const dataDir = temporaryDirectory()
  const server = await startPdpp(['serve', '--port', '0'], { dataDir, env: { ...env, PDPP_OWNER_PASSWORD: password } })
  await server.printed(/Ctrl-C/)
  expect(server.output().out).toContain(`at ${env['PDPP_PUBLIC_URL']}.`)
  expect(server.output().out).not.toContain('/sign-in/link/')
  // It prints its public address; where it listens is in its folder.
  const { url } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'))
  const from = (host: string, path: string) => statusAndTarget(url, host, path)
  const record = '/r/chat%2Fmessages%3A1'
  expect(page).toContain(record)
  expect(await from('data.example.org', record)).toEqual([
    303,
    `/owner/sign-in?return_to=${encodeURIComponent(record)}`,
  ])
  expect(await from('data.example.org', decodeURIComponent(record))).toEqual([404, undefined])
  expect(await from('127.0.0.1.example.org', record)).toEqual([421, undefined])
})

/** As a proxy sends it; `fetch` would not let the host be chosen. */
function statusAndTarget(url: string, host: string, path: string): Promise<[number | undefined, string | undefined]> {
  const headers = { host, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': host }
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve([answer.statusCode, answer.headers.location]))
    })
      .on('error', reject)
      .end()
  })
}

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!systemd)('systemd finds the unit well shielded', () => {
  const unit = join(temporaryDirectory(), 'pdpp.service')
  writeFileSync(unit, block('ini', '[Service]'))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  })
  expect(stderr).not.toMatch(/Unknown|ignoring|Failed to parse/i)
  expect(Number(/Overall exposure level for pdpp\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2.5)
})

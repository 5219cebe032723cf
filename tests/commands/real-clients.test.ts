// The lines that the console and the greeting print, run with the real programs, against a server without internet.
// `PDPP_CLIENTS=<folder>` names a folder in which npm has installed them: @anthropic-ai/claude-code, @openai/codex,
// @google/gemini-cli, mcporter. Without it these tests are skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { HOSTS, type HostName, hostedEntry } from '@pdpp/mcp-server/hosts'
import { OWNER } from '@pdpp/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../../scripts/browser.ts'
import { copyDemo } from '../fixtures/demo-data.ts'
import { testServer } from '../fixtures/server.ts'

const bin = join(process.env['PDPP_CLIENTS'] ?? '', 'node_modules', '.bin')
const has = (name: string) => process.env['PDPP_CLIENTS'] !== undefined && existsSync(join(bin, name))
const executablePath = findBrowser()
if (!has('claude'))
  console.warn('PDPP_CLIENTS names no folder with real agents: the printed lines are not run with them.')

describe.skipIf(!executablePath)('real agents', { timeout: 180_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
  })
  afterAll(() => browser?.close())

  /** A home in which the browser is a script that writes down the address. */
  function newHome() {
    const home = mkdtempSync(join(tmpdir(), 'pdpp-agents-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
    mkdirSync(join(home, '.codex'))
    const opener = join(home, 'opener')
    writeFileSync(opener, `#!/bin/sh\necho "$1" >> '${home}/opened'\n`)
    chmodSync(opener, 0o755)
    const path = [bin, process.env['PATH']].join(delimiter)
    const env = {
      ...process.env,
      PATH: path,
      HOME: home,
      CODEX_HOME: join(home, '.codex'),
      BROWSER: opener,
      TERM: 'dumb',
    }
    return { home, env }
  }

  async function signedIn(server: Awaited<ReturnType<typeof testServer>>['server']): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }

  async function allow(page: Page, url: string): Promise<void> {
    await page.goto(url)
    await page.locator('#row-calendar').check()
    await page.getByRole('button', { name: 'Allow' }).click()
  }

  const AGENTS: readonly (readonly [HostName, string, readonly string[], RegExp])[] = [
    ['claude-code', 'claude', ['mcp', 'list'], /pdpp: .*Connected/],
    ['codex', 'codex', ['mcp', 'list'], /pdpp .*enabled +OAuth/],
  ]
  for (const [name, program, list, connected] of AGENTS)
    it.skipIf(!has(program))(`${name} connects with the line as printed, and asks once`, async () => {
      const { server } = await testServer({}, {}, { fill: copyDemo })
      const { home, env } = newHome()
      const line = HOSTS[name].command!('pdpp', hostedEntry(server.url))!
      const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: home, env })
      onTestFinished(() => void child.kill())
      const output = outputOf(child)
      const url = () =>
        (existsSync(join(home, 'opened')) ? readFileSync(join(home, 'opened'), 'utf8') : output()).match(
          /http\S+\/oauth\/authorize\S+/,
        )?.[0]
      await expect.poll(url, { timeout: 60_000 }).toBeDefined()
      const exited = new Promise((resolve) => child.once('close', resolve))
      await allow(await signedIn(server), url()!)
      expect([await exited, /error/i.test(output())]).toEqual([0, false])
      const { data } = (await fetchJson(server, '/v1/owner/grants')) as { data: { status: string }[] }
      expect(data.map(({ status }) => status)).toEqual(['active'])
      // Not spawnSync: the server that it asks runs in this process.
      const asked = spawn(join(bin, program), list, { cwd: home, env })
      const shown = outputOf(asked)
      await new Promise((resolve) => asked.once('close', resolve))
      expect(shown()).toMatch(connected)
    })

  it.skipIf(!has('gemini'))('Gemini CLI is set up with the line as printed', async () => {
    const { server } = await testServer()
    const { home, env } = newHome()
    const line = HOSTS.gemini.command!('pdpp', hostedEntry(server.url))!
    expect(spawnSync('sh', ['-c', line], { cwd: home, env, encoding: 'utf8' }).status).toBe(0)
    const settings = JSON.parse(readFileSync(join(home, '.gemini', 'settings.json'), 'utf8'))
    expect(JSON.stringify(settings.mcpServers.pdpp)).toContain(`${server.url}/mcp`)
  })

  async function fetchJson(server: Awaited<ReturnType<typeof testServer>>['server'], path: string): Promise<unknown> {
    const { accessToken } = await server.context.tokens.issueOwner(OWNER)
    return (await fetch(server.url + path, { headers: { authorization: `Bearer ${accessToken}` } })).json()
  }
})

function outputOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  return () => text
}

// The lines that the console and the greeting print, run with the real programs, against a server without internet.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTS, type HostName, hostedEntry } from '@pdpp/mcp-server/hosts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { closePages, hasBrowser, realBrowser } from '../fixtures/real-browser.ts'
import { testServer } from '../fixtures/server.ts'
import { allowCalendar } from './allowing-owner.ts'
import { type AgentHome, hasProgram, newHome } from './real-programs.ts'

interface Agent {
  readonly program: string
  /** The line that a person types, and the preparation for it. */
  line(server: string, agent: AgentHome): string
  /** A call afterwards, and what it must show. */
  readonly check: readonly string[]
  readonly shows: RegExp
}

const printed = (name: HostName) => (server: string) => HOSTS[name].command!('pdpp', hostedEntry(server))!

const AGENTS: Record<string, Agent> = {
  'Claude Code': {
    program: 'claude',
    line: printed('claude-code'),
    check: ['mcp', 'list'],
    shows: /pdpp: .*Connected/,
  },
  Codex: { program: 'codex', line: printed('codex'), check: ['mcp', 'list'], shows: /pdpp .*enabled +OAuth/ },
  mcporter: {
    program: 'mcporter',
    line: (server, { home }) => {
      mkdirSync(join(home, 'config'))
      const servers = { mcpServers: { pdpp: { url: `${server}/mcp` } } }
      writeFileSync(join(home, 'config', 'mcporter.json'), JSON.stringify(servers))
      return 'mcporter auth pdpp'
    },
    check: ['call', 'pdpp.search', 'query=dentist'],
    shows: /calendar\/\S+:\S+/,
  },
  OpenCode: {
    program: 'opencode',
    line: (server, { home }) => {
      const folders = { openCode: join(home, '.config', 'opencode', 'opencode.json') }
      const { path, section, value } = HOSTS.opencode.file!(folders as never, hostedEntry(server))!
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, JSON.stringify({ [section]: { pdpp: value } }))
      return 'opencode mcp auth pdpp'
    },
    check: ['mcp', 'list'],
    shows: /pdpp.*connected/,
  },
}

describe.runIf(hasBrowser)('agents that sign in', { timeout: 180_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await realBrowser()
  })
  afterAll(closePages)

  for (const [name, { program, line, check, shows }] of Object.entries(AGENTS))
    it.skipIf(!hasProgram(program))(`${name} connects as printed, and asks once`, async () => {
      const { server, owner } = await testServer({}, {}, { fill: copyDemo })
      const agent = newHome()
      const running = agent.inTerminal(line(server.url, agent))
      await expect.poll(() => agent.openedAddress(running), { timeout: 60_000 }).toBeDefined()
      await allowCalendar(browser, server, agent.openedAddress(running)!)
      expect([await running.exited, running.output()]).toEqual([0, expect.not.stringMatching(/error/i)])
      const { body } = await owner('GET', '/v1/owner/grants')
      expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['active'])
      expect(await agent.run(program, check)).toMatch(shows)
    })

  // It signs in only from inside a session of its own, with a model.
  it.skipIf(!hasProgram('gemini'))('Gemini CLI is set up with the line as printed', async () => {
    const { server } = await testServer()
    const agent = newHome()
    expect(await agent.inTerminal(printed('gemini')(server.url)).exited).toBe(0)
    const settings = JSON.parse(readFileSync(join(agent.home, '.gemini', 'settings.json'), 'utf8'))
    expect(JSON.stringify(settings.mcpServers.pdpp)).toContain(`${server.url}/mcp`)
  })
})

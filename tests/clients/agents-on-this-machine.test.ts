// Agents that start the adapter as a program, with the entry that `pdpp setup` prints.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTS, type HostName } from '@pdpp/mcp-server/hosts'
import { describe, expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp } from '../fixtures/processes.ts'
import { testServer } from '../fixtures/server.ts'
import { type AgentHome, hasProgram, newHome } from './real-programs.ts'

const STDIO = {
  kind: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, '..', '..', 'packages', 'mcp', 'bin', 'pdpp-mcp-server.mjs')],
} as const

describe('agents that start the adapter', { timeout: 120_000 }, () => {
  /** A home whose cache has a token for the calendar, and the entry that reads with it. */
  async function connected(): Promise<{ agent: AgentHome; entry: { kind: 'stdio'; command: string; args: string[] } }> {
    const { server, grant } = await testServer({}, {}, { fill: copyDemo })
    const { token } = await grant({ connections: ['calendar'], streams: [{ name: 'events' }] })
    const agent = newHome()
    const cache = join(agent.home, '.pdpp')
    const args = ['connect', server.url, '--with-token', '--cache-root', cache]
    const { code, stderr } = await runPdpp(args, { dataDir: agent.home, input: token })
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const flags = ['--provider-url', server.url, '--cache-root', cache]
    return { agent, entry: { ...STDIO, args: [...STDIO.args, ...flags] } }
  }

  const TERMINAL: readonly (readonly [HostName, string, RegExp])[] = [
    ['claude-code', 'claude', /pdpp: .*Connected/],
    ['gemini', 'gemini', /pdpp: .*Connected/],
    ['codex', 'codex', /pdpp .*enabled/],
  ]
  for (const [name, program, shows] of TERMINAL)
    it.skipIf(!hasProgram(program))(`${HOSTS[name].title} connects through the adapter`, async () => {
      const { agent, entry } = await connected()
      // Gemini CLI starts nothing in an untrusted folder.
      mkdirSync(join(agent.home, '.gemini'), { recursive: true })
      writeFileSync(
        join(agent.home, '.gemini', 'trustedFolders.json'),
        JSON.stringify({ [agent.home]: 'TRUST_FOLDER' }),
      )
      expect(await agent.inTerminal(HOSTS[name].command!('pdpp', entry)!).exited).toBe(0)
      expect(await agent.run(program, ['mcp', 'list'])).toMatch(shows)
    })

  it.skipIf(!hasProgram('mcp-inspector'))('the Inspector lists the tools and calls one', async () => {
    const { agent, entry } = await connected()
    const started = ['--cli', entry.command, ...entry.args]
    const { tools } = JSON.parse(await agent.run('mcp-inspector', [...started, '--method', 'tools/list']))
    expect(tools).toHaveLength(6)
    const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=dentist']
    const { content } = JSON.parse(await agent.run('mcp-inspector', [...started, ...call]))
    expect(content[0].text).toMatch(/calendar\/events:/)
  })
})

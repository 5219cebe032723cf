// The command and the adapter over stdin and stdout: hidden data changes nothing that they print. (checklist 16)
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { newPerson, type Person } from '../../packages/cli/tests/command.ts'
import { HIDINGS, HiddenWorld } from '../../packages/server/tests/hidden-worlds/world.ts'
import { CACHE_ENV, STDIO_ADAPTER } from '../fixtures/built-command.ts'
import { testServer } from '../fixtures/server.ts'

const SEALED = /(?<![\w-])[\w-]{38,}(?![\w-])/g
const REQUEST = /req_[\w-]+/g
const plain = (text: string): string =>
  text.replaceAll(REQUEST, '<request>').replaceAll(SEALED, (value) => `<sealed ${value.length}>`)

async function commands(me: Person, source: string): Promise<string[]> {
  const texts: string[] = []
  // Some of the worlds are packages, which must say which source they read.
  const named = ['--connection', source]
  for (const args of [
    ['schema', 'letters', ...named],
    ['streams'],
    ['records', 'letters', ...named, '--limit', '7', '--count', 'exact'],
    ['records', 'letters', ...named, '--expand', 'replies', '--limit', '3', '--json'],
    ['record', `${source}/letters:m1`],
    ['record', `${source}/letters:hidden-1`],
    ['aggregate', 'letters', ...named],
  ]) {
    const { code, stdout, stderr } = await me.run(['read', ...args])
    texts.push(plain(`${args.join(' ')}: ${code}\n${stdout}\n${stderr}`))
  }
  return texts
}

async function tools(client: Client, source: string): Promise<string[]> {
  const texts: string[] = []
  for (const [name, args] of [
    ['schema', { stream: 'letters', connection_id: source }],
    ['query_records', { stream: 'letters', connection_id: source, limit: 20, count: 'exact' }],
    ['aggregate', { stream: 'letters', connection_id: source, metric: 'count' }],
    ['fetch', { id: `${source}/letters:m2`, expand: ['replies'] }],
    ['fetch', { id: `${source}/letters:hidden-0` }],
  ] as const)
    texts.push(plain(JSON.stringify(await client.callTool({ name, arguments: args }))))
  return texts
}

it.each(HIDINGS.map((hiding, seed) => ({ hiding, seed })))(
  'commands and stdio keep every byte if $hiding are hidden',
  async ({ hiding, seed }) => {
    const test = await testServer({ publicUrl: 'https://data.example.org' })
    const world = new HiddenWorld(test, seed)
    expect(world.hiding).toBe(hiding)
    const me = newPerson()
    const token = await world.open()
    const { code, stderr } = await me.run(['connect', test.server.url, '--with-token'], { input: token })
    expect(code, stderr).toBe(0)
    const client = new Client({ name: 'test', version: '1' })
    const env = { ...me.env, PDPP_PROVIDER_URL: test.server.url, PATH: process.env['PATH']!, ...CACHE_ENV }
    const adapter = { command: process.execPath, args: [STDIO_ADAPTER], env, cwd: me.home, stderr: 'ignore' as const }
    await client.connect(new StdioClientTransport(adapter))
    onTestFinished(() => client.close())
    const before = [...(await commands(me, world.home)), ...(await tools(client, world.home))]
    // Leaves out the hidden records, because a refused command would prove nothing.
    expect(before.filter((text) => /^[^\n]*: 0\n/.test(text))).toHaveLength(6)
    expect(before.filter((text) => text.includes('"isError":true'))).toHaveLength(1)
    await world.disturb(0)
    await world.disturb(1)
    expect([...(await commands(me, world.home)), ...(await tools(client, world.home))]).toEqual(before)
  },
  180_000,
)

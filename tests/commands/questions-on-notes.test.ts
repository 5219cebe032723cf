// Notes and documents as an agent meets them: imported by the command, granted by the owner, asked over MCP.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pdfWith } from '../../packages/importers/src/formats/document/documents.fixture.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { storedZip } from '../fixtures/stored-zip.ts'

const VAULT = {
  'Home/.obsidian/app.json': '{}',
  'Home/Journal/2026-04-03.md': 'Read about mosses with [[Ida Moor]]. They drink with their leaves.',
  'Home/Journal/2026-05-09.md': 'Mosses again, and a fern.',
  'Home/People/Ida Moor.md': 'A friend from the boat club. She lives in Norrhamn.',
}
const EVERNOTE = `<en-export><note><title>Bread</title><created>20260403T181500Z</created><content><![CDATA[<en-note><div>Rye flour and patience.</div></en-note>]]></content></note></en-export>`

/** Imports files, grants one connection, and returns a way to call tools as the agent. */
async function agentOn(
  files: Record<string, string | Uint8Array>,
  connection: string,
  streams: readonly string[],
  more: string[] = [],
) {
  const folder = temporaryDirectory()
  const dataDir = join(folder, 'data')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'files', name)), { recursive: true })
    writeFileSync(join(folder, 'files', name), content)
  }
  const imported = await runPdpp(['import', join(folder, 'files'), '--yes', '--json'], { dataDir })
  expect([imported.code, imported.stderr]).toEqual([0, ''])
  const connections: string[] = JSON.parse(imported.stdout).imports.map((each: any) => each.connection_id)
  const id = connections.find((each) => each.startsWith(connection))
  expect([connections, id]).toEqual([connections, expect.any(String)])
  const granted = await runPdpp(
    [
      'owner',
      'grant',
      'create',
      '--client',
      'Helper',
      '--connection',
      id!,
      ...streams.flatMap((each) => ['--stream', each]),
      ...more,
      '--json',
    ],
    { dataDir },
  )
  const { access_token: token } = JSON.parse(granted.stdout)
  const server = await startServerProcess({ dataDir })
  const client = new Client({ name: 'helper', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  onTestFinished(async () => {
    await client.close()
  })
  return async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = (await client.callTool({ name, arguments: args })) as any
    expect([content[0].text, isError ?? false]).toEqual([content[0].text, false])
    return content[0].text as string
  }
}

describe('an agent asks', () => {
  it('what did I write about mosses in April?', async () => {
    const ask = await agentOn(VAULT, 'obsidian', ['notes', 'links'])
    const april = await ask('search', { query: 'mosses', since: '2026-04-01', until: '2026-05-01' })
    expect(april).toContain('They drink with their leaves')
    expect(april).not.toContain('and a fern')
    const notes = await ask('query_records', { stream: 'notes', expand: ['links'] })
    expect(notes).toContain('Ida Moor')
  })

  it('and does not see what its access leaves out', async () => {
    const ask = await agentOn(VAULT, 'obsidian', ['notes'], ['--since', '2026-05-01'])
    const all = await ask('search', { query: 'mosses' })
    expect(all).toContain('and a fern')
    expect(all).not.toContain('They drink with their leaves')
  })

  it('on which page is the fence, in a PDF within a zip?', async () => {
    const pdf = pdfWith(['Ida opened the meeting.', 'The fence was mended.'])
    const ask = await agentOn({ 'papers.zip': storedZip({ 'minutes.pdf': pdf }) }, 'documents', ['sections'])
    const found = await ask('search', { query: 'fence mended' })
    expect(found).toContain('Minutes of April')
    const page = await ask('query_records', { stream: 'sections', filter: { position: { gte: 2 } } })
    expect(page).toContain('The fence was mended.')
    expect(page).not.toContain('Ida opened')
  })

  it('what did I note about bread?', async () => {
    const ask = await agentOn({ 'Kitchen.enex': EVERNOTE }, 'evernote', ['notes'])
    expect(await ask('search', { query: 'rye flour' })).toContain('patience')
  })
})

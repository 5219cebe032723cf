// Chats as people have them are imported by the command, and an agent answers questions about them over `/mcp`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { storedZip } from '../fixtures/stored-zip.ts'

const WHATSAPP = `31/05/2025, 23:59 - Messages and calls are end-to-end encrypted.
12/06/2025, 09:15 - Ida Moor: Who brings the samovar?
13/06/2025, 00:30 - Bram Tidewell: I bring the samovar.
It is heavy, so come early.
13/06/2025, 18:04 - Bram Tidewell: list.txt (file attached)
02/07/2025, 10:00 - Cleo Fen: The samovar is broken.
`

const TELEGRAM = {
  about: 'Here is the data you requested.',
  personal_information: { user_id: 11, first_name: 'Ida', last_name: 'Moor' },
  chats: {
    about: 'This page lists all chats.',
    list: [
      {
        name: 'Rowing club',
        type: 'private_supergroup',
        id: 77,
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2025-06-02T12:00:00',
            date_unixtime: '1748858400',
            from: 'Bram Tidewell',
            from_id: 'user22',
            text: 'Shall we row to the lighthouse?',
          },
          {
            id: 2,
            type: 'message',
            date: '2025-06-02T12:05:00',
            date_unixtime: '1748858700',
            from: 'Cleo Fen',
            from_id: 'user33',
            reply_to_message_id: 1,
            text: ['Yes, ', { type: 'bold', text: 'on Sunday' }],
            reactions: [
              {
                type: 'emoji',
                count: 1,
                emoji: '🚣',
                recent: [{ from: 'Ida Moor', from_id: 'user11', date: '2025-06-02T12:06:00' }],
              },
            ],
          },
        ],
      },
    ],
  },
}

/** Imports files into a new server and gives an agent that may read everything. */
async function agentOf(name: string, content: Buffer | string) {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir })
  const importing = async (bytes: Buffer | string) => {
    writeFileSync(join(dataDir, name), bytes)
    const args = ['import', join(dataDir, name), '--yes', '--zone', 'Europe/London', '--json']
    const { code, stdout, stderr } = await runPdpp(args, { dataDir })
    expect([code, stderr]).toEqual([0, stderr])
    const [{ connection_id: connection, streams }] = JSON.parse(stdout).imports
    const counts = streams.map((each: Record<string, unknown>) => [each['name'], [each['new'], each['changed']]])
    return { connection, counts: Object.fromEntries(counts) }
  }
  const { connection } = await importing(content)
  const grant = ['owner', 'grant', 'create', '--client', 'A', '--connection', connection, '--json']
  const { access_token: token } = JSON.parse((await runPdpp(grant, { dataDir })).stdout)
  const client = new Client({ name: 'agent', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  const ask = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const answer = await client.callTool({ name: tool, arguments: args })
    return (answer.content as { text?: string }[]).map(({ text }) => text ?? '').join('\n')
  }
  return { ask, importing }
}

const zipped = (chat: string) =>
  storedZip({ 'WhatsApp Chat with Family group.txt': chat, 'list.txt': 'tea, sugar, lemons' })

test('who said in June that they bring the samovar, in the family group?', async () => {
  const { ask, importing } = await agentOf('Download.zip', zipped(WHATSAPP))
  const hits = await ask('search', { query: 'I bring the samovar', limit: 5 })
  expect(hits).toContain('Source: WhatsApp: Family group')
  expect(hits).toContain('All shown: Family group')
  expect(hits).toMatch(/Fri 2025-06-13 00:30\+01:00 · Bram Tidewell\n +text: I bring the samovar/)
  const june = { gte: '2025-06-01T00:00:00+01:00', lt: '2025-07-01T00:00:00+01:00' }
  const said = await ask('query_records', {
    stream: 'messages',
    filter: { sent_at: june, conversation: 'Family group' },
  })
  expect(said).toContain('messages: 3 records')
  expect(said).not.toContain('Cleo Fen')
  expect(await ask('search', { query: 'lemons' })).toContain('"list.txt"')

  // The same zip again changes nothing, and a longer one adds the new messages.
  const none = { conversations: [0, 0], participants: [0, 0], messages: [0, 0], reactions: [0, 0], attachments: [0, 0] }
  expect((await importing(zipped(WHATSAPP))).counts).toEqual(none)
  const longer = await importing(zipped(`${WHATSAPP}03/07/2025, 08:00 - Ida Moor: Then we drink coffee.\n`))
  expect(longer.counts).toEqual({ ...none, messages: [1, 0], conversations: [0, 1] })
})

test('what was answered about the lighthouse, and who liked it?', async () => {
  const { ask } = await agentOf('result.json', JSON.stringify(TELEGRAM))
  const question = await ask('search', { query: 'lighthouse' })
  const [, id] = /messages:(\S+) · Mon 2025-06-02 10:00Z · Bram Tidewell/.exec(question)!
  const filter = { reply_to_id: decodeURIComponent(id!) }
  const answer = await ask('query_records', { stream: 'messages', filter, expand: ['reacted'] })
  expect(answer).toMatch(/Cleo Fen .* Yes, on Sunday/)
  expect(answer).toMatch(/emoji=🚣 \| author=Ida Moor/)
})

// Every next command that `pdpp read` prints works as it is printed: under a package, where every read names its
// source, and for keys that a shell or a path could take for something else.
import { spawnSync } from 'node:child_process'
import { CredentialCache } from '@pdpp/mcp-server/client'
import { expect } from 'vitest'
import { declaration, key, searched, stream } from '../../../tests/fixtures/declaration.ts'
import { mailServer, message } from '../../../tests/fixtures/server.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { newPerson } from './command.ts'

const KEYS = ['2026/05/long one', '-dashed', "it's $HOME; `id`"]
const LONG = `${'The lighthouse keeper wrote about the weather. '.repeat(120)}The end.`

async function world() {
  const server = await mailServer()
  await server.owner(
    'POST',
    '/connectors',
    declaration('papers', {
      papers: stream({
        id: key(),
        body: searched(),
        file: {
          type: 'object',
          properties: { blob_id: { type: 'string' }, sha256: { type: 'string' } },
          x_pdpp_text_field: 'body',
        },
      }),
    }),
  )
  await server.owner('POST', '/v1/owner/connections', { connector_key: 'papers', connection_id: 'desk' })
  const target = new URLSearchParams({ connection_id: 'desk', stream: 'papers', record_key: KEYS[0]! })
  const { body: file } = await server.owner('POST', `/v1/blobs?${target}&mime_type=image/png`, 'what is in the file')
  const blob = { blob_id: file.blob_id, sha256: file.sha256, mime_type: 'image/png' }
  const papers = await server.ingest(
    'papers',
    'desk',
    KEYS.map((id) => ({ data: { id, body: LONG, ...(id === KEYS[0] ? { file: blob } : {}) } })),
  )
  const mails = await server.ingest(
    'messages',
    'home',
    KEYS.map((id, index) => ({
      ...message(index, { id, body: LONG, photo: Buffer.alloc(45).toString('base64') }),
      key: id,
    })),
  )
  expect([papers.text, mails.text]).toEqual([...Array(2)].map(() => expect.stringContaining('"records_rejected":0')))
  return server
}

verifies(
  ['001.5.2', '001.2'],
  'every command that the reads print works as printed',
  async () => {
    const server = await world()
    const grants = await Promise.all(
      ['home', 'desk'].map(async (connection) => (await server.grant({ connections: [connection] })).grantId),
    )
    const { body: made } = await server.owner('POST', '/v1/owner/packages', { grants, client_name: 'Test client' })
    const me = newPerson()
    new CredentialCache(me.env['PDPP_CACHE_ROOT']!).save({
      provider_url: server.server.url,
      credential: { access_token: made.access_token, grant_id: null, grant_package_id: made.package_id },
    })

    const waiting: string[][] = [
      ['read', 'schema'],
      ['read', 'streams'],
      ['read', 'schema', 'papers'],
      ['read', 'schema', 'messages', '--connection', 'home'],
      ['read', 'search', 'lighthouse', '--limit', '4'],
      ['read', 'search', 'keeper weather', '--connection', 'desk'],
      ['read', 'records', 'papers', '--connection', 'desk', '--limit', '2'],
      ['read', 'records', 'messages', '--connection', 'home', '--fields', 'id,subject', '--limit', '1'],
      ['read', 'aggregate', 'messages', '--connection', 'home'],
      ...KEYS.flatMap((key) => [
        ['read', 'field', '--limit', '100', '--offset', '50', '--connection', 'desk', '--', 'papers', key, 'body'],
        ['read', 'field', '--connection', 'home', '--', 'messages', key, 'photo'],
        ['read', 'record', '--connection', 'desk', '--', 'papers', key],
      ]),
      ['read', 'field', '--connection', 'desk', '--', 'papers', KEYS[0]!, 'file'],
    ]
    const done = new Set<string>()
    const kinds = new Set<string>()
    for (let args = waiting.shift(); args !== undefined && done.size < 120; args = waiting.shift()) {
      if (done.has(args.join('\0'))) continue
      done.add(args.join('\0'))
      const { code, stdout, stderr } = await me.run(args)
      expect([args.join(' '), code, code === 0 ? '' : stderr]).toEqual([args.join(' '), 0, ''])
      for (const [, before, command] of `${stdout}\n${stderr}`.matchAll(/^(.*?)\bpdpp (read .*)$/gm)) {
        kinds.add(`${args[1]}: ${before!.trim().replace(/:$/, '')}`)
        waiting.push(
          wordsOf(command!).map((word) => (word === 'file' ? `${me.home}/saved-${done.size}-${waiting.length}` : word)),
        )
      }
    }
    expect(waiting).toEqual([])
    const printed = [
      'field: From the beginning',
      'field: Get it',
      'field: Continue',
      'field: Read its text',
      'record: Save a file',
      'records: ',
      'records: Open one',
      'schema: Read it',
      'schema: Show the fields of a stream',
      'search: ',
      'search: More',
      'streams: Show the fields of a stream',
    ]
    expect(printed.filter((kind) => !kinds.has(kind))).toEqual([])
  },
  240_000,
)

verifies(
  '001.5.2',
  'the command under a hit opens the field at the match',
  async () => {
    const server = await world()
    const { grantId, token } = await server.grant({ connections: ['desk'] })
    const me = newPerson()
    new CredentialCache(me.env['PDPP_CACHE_ROOT']!).save({
      provider_url: server.server.url,
      credential: { access_token: token, grant_id: grantId },
    })
    const found = await me.run(['read', 'search', 'end', '--limit', '1'])
    const [, command] = /^ {3}pdpp (read field .*)$/m.exec(found.stdout)!
    const [, offset] = / --offset (\d+)/.exec(command!)!
    const opened = await me.run(wordsOf(command!))
    expect([opened.code, opened.stdout]).toEqual([0, LONG.slice(Number(offset))])
    expect(Number(offset)).toBeGreaterThan(LONG.length / 2)
  },
  60_000,
)

/** Splits a command into words like a shell. */
function wordsOf(command: string): string[] {
  return spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .stdout.split('\0')
    .slice(0, -1)
}

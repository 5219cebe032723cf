import { expect, test } from 'vitest'
import { declaration, key, searched, stream } from '../../../tests/fixtures/declaration.ts'
import { decide, oauthServer } from '../../server/tests/oauth/oauth-flow.ts'
import { newPerson } from './command.ts'

const json = (text: string) => JSON.parse(text)

test('an approval of several sources is one connection', async () => {
  const server = await oauthServer()
  await server.owner('POST', '/connectors', declaration('notes', { notes: stream({ id: key(), text: searched() }) }))
  await server.owner('POST', '/v1/owner/connections', { connector_key: 'notes', connection_id: 'pad' })
  await server.ingest('notes', 'pad', [{ data: { id: 'n1', text: 'Body of the lighthouse' } }])
  const me = newPerson()
  const running = await me.start(['connect', server.origin, '--no-browser'])
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
  const { pathname, search } = new URL(address)
  const started = await server.browser.get(pathname + search)
  const fields = { decision: 'approve', connection: ['home', 'pad'] }
  const decided = await decide(server, started.headers.get('location')!, fields)
  await fetch(decided.headers.get('location')!)
  const connected = await running.exited
  expect([connected.code, connected.stdout]).toEqual([
    0,
    expect.stringMatching(/Mail from [\s\S]*Notes from pad: notes \(1\)/),
  ])

  const names = json((await me.run(['read', 'streams', '--json'])).stdout).data.map((row: any) => row.name)
  expect(names).toEqual(expect.arrayContaining(['messages', 'notes']))
  const hits = json((await me.run(['read', 'search', 'body', '--all', '--json'])).stdout).data
  expect(new Set(hits.map((hit: any) => hit.connection_id))).toEqual(new Set(['home', 'pad']))
  const shown = await me.run(['read', 'search', 'lighthouse'])
  const command = /^ {3}pdpp (read field .*)$/m.exec(shown.stdout)![1]!
  expect((await me.run(command.split(' '))).stdout).toBe('Body of the lighthouse')
  // A package has several sources. The command asks which one, and lists the choices.
  const unclear = await me.run(['read', 'records', 'notes'])
  expect([unclear.code, unclear.stdout]).toEqual([2, ''])
  expect(unclear.stderr).toMatch(/pad[\s\S]*--connection/)
  expect((await me.run(['read', 'records', 'notes', '--connection', 'pad'])).code).toBe(0)

  const [row] = json((await me.run(['status', '--json'])).stdout).data
  expect(row).toMatchObject({ grant_id: expect.stringMatching(/^pkg_/), state: 'accepted' })
  const gone = await me.run(['disconnect', '--json'])
  expect(json(gone.stdout).data).toEqual([expect.objectContaining({ revoked: true, forgotten: true })])
})

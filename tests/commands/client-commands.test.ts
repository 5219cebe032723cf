import { expect, it } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

it('lists, shows and revokes clients', async () => {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const grant = ['owner', 'grant', 'create', '--client', 'Notes\u202e helper', '--connection', 'notes', '--json']
  const created = JSON.parse((await runPdpp(grant, { dataDir })).stdout)
  const server = await startServerProcess({ dataDir })
  const response = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Nosy', redirect_uris: ['https://client.example/back'] }),
  })
  const registered = ((await response.json()) as { client_id: string }).client_id

  const list = JSON.parse((await runPdpp(['owner', 'client', 'list', '--json'], { dataDir })).stdout)
  const told = list.data.map((one: Record<string, unknown>) => [one['client_id'], one['kind'], one['active_grants']])
  expect(told).toEqual([
    [registered, 'dynamic', 0],
    [created.client_id, 'owner_made', 1],
  ])
  const table = await runPdpp(['owner', 'clients'], { dataDir })
  expect(table.stdout).toContain('Notes helper')
  const shown = await runPdpp(['owner', 'client', 'show', registered], { dataDir })
  expect(shown.stdout).toContain('https://client.example/back')

  const fullAccess = async (...options: string[]) => {
    const args = ['owner', 'client', 'full-access', registered, ...options]
    return (await runPdpp(args, { dataDir })).stdout
  }
  expect(await fullAccess()).toContain('can now ask for full access')
  expect((await runPdpp(['owner', 'client', 'show', registered], { dataDir })).stdout).toContain('full access')
  expect(await fullAccess('--remove')).toContain('no longer')
  expect((await runPdpp(['owner', 'client', 'show', registered], { dataDir })).stdout).not.toContain('full access')

  const ended = await runPdpp(['owner', 'client', 'revoke', created.client_id, '--json'], { dataDir })
  expect(JSON.parse(ended.stdout)).toMatchObject({ revoked: true, grants: [created.grant_id] })
  const read = await fetch(`${server.url}/v1/schema`, { headers: { authorization: `Bearer ${created.access_token}` } })
  expect([read.status, ((await read.json()) as { error: { code: string } }).error.code]).toEqual([403, 'grant_revoked'])
  expect((await runPdpp(['owner', 'client', 'show', 'cli_nobody'], { dataDir })).code).toBe(5)
  await server.stop()
})

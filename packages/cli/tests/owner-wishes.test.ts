// `pdpp owner wish`: what agents asked for and were refused, and what the owner does about it.
import { expect } from 'vitest'
import { mailServer, messages } from '../../../tests/fixtures/server.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { newPerson } from './command.ts'

verifies('point 43', 'the owner lists, opens, denies and silences wishes', async () => {
  const mail = await mailServer()
  await mail.ingest('messages', 'home', messages(2))
  const owner = newPerson()
  const { dataDir } = mail.server.context.config
  const pdpp = (...words: string[]) => owner.run(['owner', 'wish', ...words, '--data-dir', dataDir])
  expect((await pdpp('list')).stdout).toContain('No wishes.')
  const { get } = await mail.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const told = (await get('/v1/streams/messages/records?fields=body')).body.error.request_access_url
  for (const path of ['/v1/streams/labels/records', '/v1/streams/labels/records', '/v1/streams/dreams/records'])
    await get(path)
  const { stdout: table } = await pdpp()
  expect(table).toMatch(/^WISH +STATE +CLIENT +ASKED FOR +TIMES +LAST\n/)
  expect(table).toMatch(/wsh_\S+ +open +Test client \S* *labels +2 /)
  const { data } = JSON.parse((await pdpp('list', '--json')).stdout)
  const id = (stream: string) => data.find((one: any) => one.stream === stream).wish_id
  expect((await pdpp('allow', id('messages'), '--no-browser')).stdout).toContain(told)
  expect((await pdpp('deny', id('labels'))).stdout).toContain('It stays refused, and you are not asked again.')
  await pdpp('silence', id('dreams'))
  const states = JSON.parse((await pdpp('list', '--json')).stdout).data.map(({ stream, state }: any) => [stream, state])
  expect(Object.fromEntries(states)).toEqual({ messages: 'open', labels: 'denied', dreams: 'silenced' })
  expect(JSON.parse((await pdpp('list', '--state', 'open', '--json')).stdout).data).toHaveLength(1)
  expect((await pdpp('deny', 'wsh_none')).code).toBe(5)
})

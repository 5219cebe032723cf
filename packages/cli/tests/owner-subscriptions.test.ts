// `pdpp owner subscription`: what the owner sees of event subscriptions, and how one is stopped.
import { expect, test } from 'vitest'
import { mailServer } from '../../../tests/fixtures/server.ts'
import { newPerson } from './command.ts'

test('the owner lists event subscriptions and stops one', async () => {
  const mail = await mailServer()
  const owner = newPerson()
  const { dataDir } = mail.server.context.config
  const pdpp = (...words: string[]) => owner.run(['owner', ...words, '--data-dir', dataDir])
  expect((await pdpp('subscription', 'list')).stdout).toContain('No event subscriptions.')
  const { token, grantId } = await mail.grant({ connections: ['home'] })
  const client = mail.as(token)
  const { body } = await client('POST', '/v1/event-subscriptions', { filters: { streams: ['messages'] } })
  const id = body.subscription_id
  const { stdout: table } = await pdpp('subscriptions')
  expect(table).toMatch(/^SUBSCRIPTION +STATUS +CLIENT +SENDS TO +STREAMS +LAST DELIVERY\n/)
  expect(table).toMatch(new RegExp(`${id} +active +Test client .* poll +messages +none`))
  const listed = JSON.parse((await pdpp('subscription', 'list', '--grant', grantId, '--json')).stdout)
  expect(listed.data).toMatchObject([{ subscription_id: id, deliveries: [] }])
  expect((await pdpp('subscription', 'stop', id)).stdout).toContain(`Stopped ${id}.`)
  expect((await pdpp('subscription', 'list')).stdout).toContain('disabled (stopped_by_owner)')
  const again = await client('PATCH', `/v1/event-subscriptions/${id}`, { enabled: true })
  expect([again.status, again.body.error.code]).toEqual([409, 'invalid_state'])
  expect((await pdpp('subscription', 'stop', 'sub_nothing')).code).toBe(5)
})

// The tool list and the instructions of the developer server, as a real client gets them.
import { expect } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const READS = [
  'schema',
  'query_records',
  'aggregate',
  'search',
  'fetch',
  'read_record_field',
  'list_streams',
  'fetch_blob',
]
const EVENTS: Record<string, string> = {
  event_subscription_capabilities: 'Read-only, GET /.well-known/oauth-protected-resource.',
  create_event_subscription: 'Mutating, POST /v1/event-subscriptions.',
  list_event_subscriptions: 'Read-only, GET /v1/event-subscriptions.',
  get_event_subscription: 'Read-only, GET /v1/event-subscriptions/{id}.',
  update_event_subscription: 'Mutating, PATCH /v1/event-subscriptions/{id}.',
  delete_event_subscription: 'Mutating, DELETE /v1/event-subscriptions/{id}.',
  send_test_event: 'Mutating, POST /v1/event-subscriptions/{id}/test-event.',
}
const GUIDANCE = /\bsign|whsec|standard webhooks|cloudevents|challenge|retr(y|ies)|at least once|webhook-|in order/i

onEveryTransport((kind) => {
  const agent = async () => world.agent(kind, await world.grant('notes'), 'developer')
  const tools = async () => (await (await agent()).client.listTools()).tools

  verifies(['004.2.1', 'point 2', 'point 44'], 'read and event tools keep their names', async () => {
    const listed = await tools()
    expect(listed.map(({ name }) => name)).toEqual([...READS, ...Object.keys(EVENTS)])
    const explaining = listed.filter((tool) => GUIDANCE.test(JSON.stringify(tool)))
    expect(explaining.map(({ name }) => name)).toEqual(['event_subscription_capabilities'])
    const sentences = listed.flatMap(({ description }) => description!.split(/(?<=[.:;]) /))
    const long = sentences.filter((sentence) => sentence.length > 60)
    expect(new Set(long).size).toBe(long.length)
    expect(JSON.stringify(listed)).not.toContain('ambiguous_connection')
  })

  verifies(['004.2.2', '003.2'], 'each event tool says what it does and which endpoint it calls', async () => {
    const listed = (await tools()).filter(({ name }) => name in EVENTS)
    for (const { name, description, annotations } of listed) {
      expect(description!.endsWith(EVENTS[name]!), name).toBe(true)
      expect(description!.length).toBeLessThan(name === 'event_subscription_capabilities' ? 500 : 200)
      expect(annotations, name).toMatchObject({
        readOnlyHint: EVENTS[name]!.startsWith('Read-only'),
        ...(name === 'delete_event_subscription' ? { destructiveHint: true } : {}),
      })
    }
    expect(listed.find(({ name }) => name === 'create_event_subscription')!.description).toContain(
      'First: event_subscription_capabilities.',
    )
  })

  verifies(['003.2.4', '003.2'], 'event tools name sources by connection_id too', async () => {
    for (const tool of await tools())
      expect(JSON.stringify(tool)).not.toMatch(/connector_instance_id|connector_id|https?:\/\//)
    const create = (await tools()).find(({ name }) => name === 'create_event_subscription')!
    expect(Object.keys((create.inputSchema as any).properties)).toContain('connection_ids')
  })

  verifies(['004.1.1', 'point 29'], 'the first 512 characters are enough to read, events come after', async () => {
    const instructions = (await agent()).client.getInstructions()!
    const first = instructions.slice(0, 512)
    for (const pattern of [/schema first/, /connection_id/, /filter is a typed object/, /limit and fields/, /cursor/])
      expect(first).toMatch(pattern)
    for (const pattern of [
      /Before create_event_subscription: event_subscription_capabilities/,
      /streams and connection_ids from schema/,
      /https address that you control as callback_url, or leave it out and poll/,
      /An event has no record content/,
      /A secret is shown once/,
    ])
      expect(instructions).toMatch(pattern)
    expect(instructions).not.toMatch(/owner token|control-plane|bearer|password/i)
  })

  verifies(['003.2', 'point 44'], 'event capabilities are the same as in the server metadata', async () => {
    const { text, structured } = await (await agent()).use('event_subscription_capabilities')
    const metadata = await (await world.get('/.well-known/oauth-protected-resource')).json()
    expect(structured.data).toEqual((metadata as any).capabilities.client_event_subscriptions)
    expect(structured.data).toMatchObject({ supported: true, delivery: ['webhook', 'poll'] })
    for (const pattern of [/standardwebhooks/, /challenge/, /webhook-signature/, /max_subscriptions_per_grant: 20/])
      expect(text).toMatch(pattern)
  })
})

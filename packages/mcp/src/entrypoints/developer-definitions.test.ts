import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { PdppError } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { checkArguments } from '../calling/arguments.ts'
import { failureResult } from '../calling/failure.ts'
import { TOOLS } from './definitions.ts'
import { DEVELOPER } from './developer.ts'
import { DEVELOPER_TOOLS } from './developer-definitions.ts'

/** Budgets of this surface: programs that want less connect to the normal one. */
const LIST_BYTES = 11_500
const INSTRUCTIONS_CHARS = 2_000
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const ajv = new Ajv({ strict: true, allErrors: true })

verifies('003.8.3', 'the list is the normal one, and nine tools more; what they cost', () => {
  const { definitions, instructions, tools } = DEVELOPER
  expect(JSON.stringify(definitions.slice(0, 6))).toBe(JSON.stringify(TOOLS))
  expect(Object.keys(tools)).toEqual(definitions.map(({ name }) => name))
  expect(bytes({ tools: definitions })).toBeLessThanOrEqual(LIST_BYTES)
  const costs = Object.fromEntries(DEVELOPER_TOOLS.map((tool) => [tool.name, bytes(tool)]))
  expect({
    ...costs,
    'whole list': bytes({ tools: definitions }),
    instructions: instructions.length,
  }).toMatchInlineSnapshot(`
    {
      "create_event_subscription": 785,
      "delete_event_subscription": 486,
      "event_subscription_capabilities": 769,
      "fetch_blob": 764,
      "get_event_subscription": 488,
      "instructions": 1712,
      "list_event_subscriptions": 444,
      "list_streams": 483,
      "send_test_event": 472,
      "update_event_subscription": 785,
      "whole list": 11450,
    }
  `)
})

/** How events are signed and delivered. */
const GUIDANCE = /\bsign|whsec|standard webhooks|cloudevents|challenge|retr(y|ies)|at least once|webhook-|in order/i

verifies('004.2.1', 'signing and delivery are explained by the discovery tool alone', () => {
  const explaining = DEVELOPER.definitions.filter((tool) => GUIDANCE.test(JSON.stringify(tool)))
  expect(explaining.map(({ name }) => name)).toEqual(['event_subscription_capabilities'])
})

const CHANGES: Record<string, { destructiveHint: boolean }> = {
  create_event_subscription: { destructiveHint: false },
  update_event_subscription: { destructiveHint: false },
  delete_event_subscription: { destructiveHint: true },
  send_test_event: { destructiveHint: false },
}

verifies(['004.2.2', 'point 44'], 'tools that change something are marked, all others only read', () => {
  for (const { name, description, annotations } of DEVELOPER.definitions) {
    const changes = CHANGES[name]
    expect(annotations, name).toMatchObject(changes ? { readOnlyHint: false, ...changes } : { readOnlyHint: true })
    expect(description, name).toMatch(changes ? /Mutating, (POST|PATCH|DELETE) \/v1\/event-sub/ : /Read-only, GET \//)
  }
})

test('every tool has its own title', () => {
  const titles = DEVELOPER.definitions.map(({ title }) => title)
  for (const title of titles) expect(title).toMatch(/^[A-Z][a-z ]{5,40}$/)
  expect(new Set(titles).size).toBe(titles.length)
})

test('the definitions, word for word', () => {
  expect(DEVELOPER_TOOLS).toMatchSnapshot()
})

verifies('004.1.1', 'the first 512 characters of its instructions end well', () => {
  const [first] = DEVELOPER.instructions.split('\n')
  expect(first!.trimEnd().length).toBeLessThanOrEqual(512)
  expect(first!.trimEnd()).toMatch(/\.$/)
  expect(DEVELOPER.instructions.length).toBeLessThanOrEqual(INSTRUCTIONS_CHARS)
})

const EXAMPLES: Record<string, { fits: object[]; does_not: object[] }> = {
  list_streams: { fits: [{}, { connection_id: 'a', offset: 3 }], does_not: [{ offset: 'x' }, { stream: 'a' }] },
  fetch_blob: {
    fits: [{ blob_id: 'b' }, { blob_id: 'b', connection_id: 'a', offset_bytes: 0, limit_bytes: 28_000 }],
    does_not: [{}, { blob_id: 'b', limit_bytes: 28_001 }, { blob_id: 7 }],
  },
  event_subscription_capabilities: { fits: [{}], does_not: [{ stream: 'a' }] },
  create_event_subscription: {
    fits: [{}, { callback_url: 'https://a.example/', delivery: 'webhook', streams: ['a'], change_kinds: ['deleted'] }],
    does_not: [{ delivery: 'mail' }, { change_kinds: ['created'] }, { secret: 'x' }],
  },
  list_event_subscriptions: { fits: [{}, { limit: 5, cursor: 'c' }], does_not: [{ status: 'active' }] },
  get_event_subscription: { fits: [{ subscription_id: 's' }], does_not: [{}, { subscription_id: 7 }] },
  update_event_subscription: {
    fits: [{ subscription_id: 's', enabled: false, rotate_secret: true, connection_ids: ['c'] }],
    does_not: [
      {},
      { subscription_id: 's', enabled: 'off' },
      { subscription_id: 's', callback_url: 'https://b.example' },
    ],
  },
  delete_event_subscription: { fits: [{ subscription_id: 's' }], does_not: [{}] },
  send_test_event: { fits: [{ subscription_id: 's' }], does_not: [{ subscription_id: 's', type: 't' }] },
}

test.each(DEVELOPER_TOOLS)('$name: the input schema and checkArguments agree', (tool) => {
  const validate = ajv.compile(tool.inputSchema)
  for (const args of EXAMPLES[tool.name]!.fits) {
    expect([args, validate(args)]).toEqual([args, true])
    expect(checkArguments(tool, args)).toEqual(args)
  }
  for (const args of EXAMPLES[tool.name]!.does_not) {
    expect([args, validate(args)]).toEqual([args, false])
    expect(() => checkArguments(tool, args)).toThrow(PdppError)
  }
  const { structuredContent } = failureResult(new PdppError('invalid_argument', 'No.'))
  expect(ajv.validate(tool.outputSchema, structuredContent)).toBe(true)
  expect(tool.outputSchema).not.toHaveProperty('required')
})

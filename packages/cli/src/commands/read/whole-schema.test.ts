import type { JsonObject } from '@pdpp/mcp-server/client'
import { expect, test } from 'vitest'
import type { Pairs } from '../../provider/reader.ts'
import { wholeSchema } from './whole-schema.ts'

const part = (from: number, to: number, total: number): JsonObject => ({
  object: 'schema',
  ...(total > 2 ? { field_page: { from, to, total, next_fields_offset: to < total ? to : null } } : {}),
  connectors: [{ connector_key: 'wide', streams: [row(from, to)] }],
})
const row = (from: number, to: number) => {
  const names = Array.from({ length: to - from }, (_, at) => `field_${from + at}`)
  const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  return {
    name: 'rows',
    ...(from === 0 ? { views: [] } : {}),
    schema: { type: 'object', required: names.slice(0, 1), properties: each({ type: 'string' }) },
    field_capabilities: each({ granted: true }),
  }
}

test('joins the parts of a long schema', async () => {
  const asked: Pairs[] = []
  const get = async (_path: string, query: Pairs) => {
    asked.push(query)
    const from = Number(query.find(([name]) => name === 'fields_offset')?.[1] ?? 0)
    return part(from, Math.min(5, from + 2), 5)
  }
  const whole: any = await wholeSchema({ get }, [['stream', 'rows']])
  expect(asked).toHaveLength(3)
  expect(whole).not.toHaveProperty('field_page')
  const [stream] = whole.connectors[0].streams
  const names = ['field_0', 'field_1', 'field_2', 'field_3', 'field_4']
  expect(Object.keys(stream.schema.properties)).toEqual(names)
  expect(Object.keys(stream.field_capabilities)).toEqual(names)
  expect(stream.schema.required).toEqual(['field_0', 'field_2', 'field_4'])
  expect(stream.views).toEqual([])
})

test('keeps a short schema, and stops at a server that repeats itself', async () => {
  expect(await wholeSchema({ get: async () => part(0, 2, 2) }, [])).toEqual(part(0, 2, 2))
  let calls = 0
  const stuck = async () => {
    calls++
    return part(0, 2, 5)
  }
  await wholeSchema({ get: stuck }, [])
  expect(calls).toBe(2)
})

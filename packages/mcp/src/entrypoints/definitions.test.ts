import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { PdppError } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { checkArguments } from '../calling/arguments.ts'
import { failureResult } from '../calling/failure.ts'
import { TOOL_NAMES, TOOLS } from './definitions.ts'
import { INSTRUCTIONS } from './instructions/normal.ts'

const LIST_BYTES = 6_000
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const ajv = new Ajv({ strict: true, allErrors: true })

verifies(['000.4.1', '004.3.1'], 'the list of tools stays below its budget of bytes', () => {
  expect([...TOOL_NAMES]).toEqual(['schema', 'query_records', 'aggregate', 'search', 'fetch', 'read_record_field'])
  expect(bytes({ tools: TOOLS })).toBeLessThanOrEqual(LIST_BYTES)
  expect(JSON.stringify(TOOLS)).not.toMatch(/list_streams|fetch_blob|event|subscri|webhook|developer/i)
})

verifies('000.4.1', 'the cost of each definition is as agreed', () => {
  const costs = Object.fromEntries(TOOLS.map((tool) => [tool.name, bytes(tool)]))
  expect({ ...costs, 'whole list': bytes({ tools: TOOLS }), instructions: INSTRUCTIONS.length }).toMatchInlineSnapshot(`
    {
      "aggregate": 1216,
      "fetch": 759,
      "instructions": 1044,
      "query_records": 1446,
      "read_record_field": 823,
      "schema": 649,
      "search": 1055,
      "whole list": 5965,
    }
  `)
})

test('the definitions, word for word', () => {
  expect(TOOLS).toMatchSnapshot()
})

verifies('004.1.1', 'the instructions fit, and their first 512 characters end well', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1_200)
  const [first] = INSTRUCTIONS.split('\n')
  expect(first!.trimEnd().length).toBeLessThanOrEqual(512)
  expect(first!.trimEnd()).toMatch(/\.$/)
})

test.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s: both schemas are valid in strict mode', (_, tool) => {
  expect(() => ajv.compile(tool.inputSchema)).not.toThrow()
  expect(() => ajv.compile(tool.outputSchema)).not.toThrow()
  const { properties, required = [] } = tool.inputSchema as { properties: object; required?: readonly string[] }
  for (const name of required) expect(Object.keys(properties)).toContain(name)
  // An error must match too, otherwise its message never reaches the model.
  expect(tool.outputSchema).not.toHaveProperty('required')
  expect(tool.outputSchema).not.toHaveProperty('additionalProperties')
})

const EXAMPLES: Record<string, { fits: object[]; does_not: object[] }> = {
  schema: { fits: [{}, { stream: 'a', detail: 'full' }], does_not: [{ detail: 'some' }, { profile: 'x' }] },
  query_records: {
    fits: [{ stream: 'a', filter: { b: 'c', d: { gte: 1, lt: 2 }, e: true }, expand_limit: { f: 3 } }],
    does_not: [{}, { stream: 'a', filter: 'b=c' }, { stream: 'a', filter: { b: { eq: 1 } } }],
  },
  aggregate: {
    fits: [{ stream: 'a', metric: 'count', group_by: ['b', 'c'] }],
    does_not: [{ stream: 'a' }, { stream: 'a', metric: 'count', group_by: ['b', 'c', 'd'] }],
  },
  search: { fits: [{ query: 'a', streams: ['b'] }], does_not: [{}, { query: 'a', filter: 'b' }] },
  fetch: { fits: [{ id: 'a/b:c', fields: ['d'] }], does_not: [{}, { id: 1 }] },
  read_record_field: {
    fits: [{ id: 'a/b:c', field_path: 'd', offset_chars: 0 }],
    does_not: [{ id: 'a/b:c' }, { id: 'a/b:c', field_path: 'd', limit_chars: '1k' }],
  },
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s: the input schema and checkArguments agree',
  (name, tool) => {
    const validate = ajv.compile(tool.inputSchema)
    for (const args of EXAMPLES[name]!.fits) {
      expect([args, validate(args)]).toEqual([args, true])
      expect(checkArguments(tool, args)).toEqual(args)
    }
    for (const args of EXAMPLES[name]!.does_not) {
      expect([args, validate(args)]).toEqual([args, false])
      expect(() => checkArguments(tool, args)).toThrow(PdppError)
    }
  },
)

test('an error matches the output schema of every tool', () => {
  const { structuredContent } = failureResult(new PdppError('invalid_filter', 'No.', { param: 'filter' }))
  for (const { outputSchema } of TOOLS) expect(ajv.validate(outputSchema, structuredContent)).toBe(true)
})

import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { PdppError } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { checkArguments } from '../calling/arguments.ts'
import { failureResult } from '../calling/failure.ts'
import { TOOLS } from './definitions.ts'
import { DEVELOPER } from './developer.ts'
import { DEVELOPER_TOOLS } from './developer-definitions.ts'

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const ajv = new Ajv({ strict: true, allErrors: true })

verifies('003.8.3', 'the list is the normal one, and two tools more; what they cost', () => {
  const { definitions, instructions, tools } = DEVELOPER
  expect(JSON.stringify(definitions.slice(0, 6))).toBe(JSON.stringify(TOOLS))
  expect(Object.keys(tools)).toEqual(definitions.map(({ name }) => name))
  const costs = Object.fromEntries(DEVELOPER_TOOLS.map((tool) => [tool.name, bytes(tool)]))
  expect({
    ...costs,
    'whole list': bytes({ tools: definitions }),
    instructions: instructions.length,
  }).toMatchInlineSnapshot(`
    {
      "fetch_blob": 764,
      "instructions": 1082,
      "list_streams": 483,
      "whole list": 7214,
    }
  `)
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
  expect(DEVELOPER.instructions.length).toBeLessThanOrEqual(1_200)
})

const EXAMPLES: Record<string, { fits: object[]; does_not: object[] }> = {
  list_streams: { fits: [{}, { connection_id: 'a', offset: 3 }], does_not: [{ offset: 'x' }, { stream: 'a' }] },
  fetch_blob: {
    fits: [{ blob_id: 'b' }, { blob_id: 'b', connection_id: 'a', offset_bytes: 0, limit_bytes: 28_000 }],
    does_not: [{}, { blob_id: 'b', limit_bytes: 28_001 }, { blob_id: 7 }],
  },
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

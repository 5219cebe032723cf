import { PdppError } from '@pdpp/protocol/reading'
import { expect, test } from 'vitest'
import { TOOLS, type ToolName } from '../entrypoints/definitions.ts'
import { checkArguments } from './arguments.ts'

function refusal(tool: ToolName, args: object): string {
  try {
    checkArguments(TOOLS.find(({ name }) => name === tool)!, args)
  } catch (error) {
    if (error instanceof PdppError) return error.message
    throw error
  }
  return 'accepted'
}

test('an error names all unknown arguments and suggests the right names', () => {
  const orders = { stream: 'orders', metric: 'count' }
  expect(refusal('aggregate', { ...orders, timezone: 'Europe/Berlin', groupBy: ['status'] })).toBe(
    'aggregate has no argument "timezone" (use time_zone), "groupBy" (use group_by).',
  )
  expect(refusal('search', { query: 'rope', top_k: 3, start_date: '2026-01-01', colour: 'red' })).toBe(
    'search has no argument "top_k" (use limit), "start_date" (use since), "colour".',
  )
  expect(refusal('read_record_field', { id: 'a/b:c', field: 'body', query: 'rope' })).toBe(
    'read_record_field has no argument "field" (use field_path), "query" (use q).',
  )
  expect(refusal('search', { query: 'rope', constructor: 1 })).toBe('search has no argument "constructor".')
  expect(
    refusal('search', { query: 'rope', ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`x${n}`, n])) }),
  ).toBe('search has no argument "x1", "x2", "x3", "x4", "x5" and 2 others.')
  expect(refusal('search', { q: 'rope', limit: '3', connection_id: null })).toBe('accepted')
})

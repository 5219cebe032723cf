import { describe, expect, test } from 'vitest'
import { type ErrorCode, STATUS_BY_CODE } from './error-codes.ts'
import { type ErrorSurface, NEXT_STEPS, type NextSteps, reasonsOf, stepOnSurface } from './next-steps.ts'
import { PdppError } from './pdpp-error.ts'

const codes = Object.keys(STATUS_BY_CODE) as ErrorCode[]
const SURFACES: readonly ErrorSurface[] = ['rest', 'tool', 'command', 'console']

/** Each entry with its name: `code`, or `code/reason`. */
const entries = codes.flatMap((code): [string, NextSteps][] => [
  [code, NEXT_STEPS[code]],
  ...Object.entries(reasonsOf(code)).map(([reason, steps]): [string, NextSteps] => [`${code}/${reason}`, steps]),
])

const ROUTE = /\b(GET|POST|PUT|PATCH|DELETE|HEAD) \/|\/v1\b/
const FLAG = /(^|\s)--[a-z]/
const TOOL =
  /\b(query_records|read_record_field|fetch_blob|list_streams)\b|\btool\b|\b(call|with) (schema|search|fetch|aggregate)\b|\b(schema|search) (lists|finds)\b/i
const withoutCommands = (sentence: string) => sentence.replaceAll(/`pdpp[^`]*`/g, '')

describe.each(entries)('%s', (name, steps) => {
  test('has one short sentence for every surface', () => {
    expect(Object.keys(steps).sort()).toEqual([...SURFACES].sort())
    for (const surface of SURFACES) expect(steps[surface]).toMatch(/^[A-Z`][^\n]{10,}(\.|\{connect\})$/)
    for (const surface of SURFACES) expect(steps[surface].length, steps[surface]).toBeLessThanOrEqual(160)
  })

  test('names no route and no flag to an agent', () => {
    // 004.5 requires the route in this sentence.
    if (name !== 'invalid_expand/no_relations') expect(steps.tool).not.toMatch(ROUTE)
    expect(steps.tool).not.toMatch(FLAG)
  })

  test('names no route and no tool in a terminal', () => {
    expect(steps.command).not.toMatch(ROUTE)
    expect(withoutCommands(steps.command)).not.toMatch(TOOL)
  })

  test('names no route, no tool and no flag on a page', () => {
    expect(steps.console).not.toMatch(ROUTE)
    expect(steps.console).not.toMatch(FLAG)
    expect(withoutCommands(steps.console)).not.toMatch(TOOL)
  })

  test('names no flag over HTTP, and asks for {connect} in a terminal only', () => {
    expect(steps.rest).not.toMatch(FLAG)
    for (const surface of ['rest', 'tool', 'console'] as const) expect(steps[surface]).not.toContain('{connect}')
  })
})

describe('a sentence that came over HTTP', () => {
  test('is exchanged for the words of the surface if it is that of the code', () => {
    const sentence = new PdppError('not_found', 'No such thing.').toWire('r').next_step
    expect(stepOnSurface('tool', 'not_found', sentence)).toBe(NEXT_STEPS.not_found.tool)
    expect(stepOnSurface('command', 'not_found', undefined)).toBe(NEXT_STEPS.not_found.command)
  })

  test('is exchanged for the words of its reason', () => {
    const error = new PdppError('not_found', 'No such grant.', { reason: 'grant' })
    expect(stepOnSurface('command', error.code, error.nextStep)).toBe('`pdpp owner grant list` lists them.')
    expect(error.nextStepOn('console')).toBe('Agents lists them.')
  })

  test('stays as it is if the server wrote its own, or if the code is not ours', () => {
    expect(stepOnSurface('tool', 'not_found', 'Look under the sofa.')).toBeUndefined()
    expect(stepOnSurface('tool', 'invalid_sort', NEXT_STEPS.not_found.rest)).toBeUndefined()
    expect(stepOnSurface('tool', 'context.expired', undefined)).toBeUndefined()
    expect(stepOnSurface('tool', 'toString', undefined)).toBeUndefined()
  })

  test.each(codes)('belongs to one reason only: %s', (code) => {
    const sentences = [NEXT_STEPS[code], ...Object.values(reasonsOf(code))].map(({ rest }) => rest)
    expect(new Set(sentences).size).toBe(sentences.length)
  })
})

test('a sentence for one error is the same on every surface', () => {
  const error = new PdppError('not_found', 'No.', { nextStep: 'Look under the sofa.', reason: 'grant' })
  expect(SURFACES.map((surface) => error.nextStepOn(surface))).toEqual(SURFACES.map(() => 'Look under the sofa.'))
})

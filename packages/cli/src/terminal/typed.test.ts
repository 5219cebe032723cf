import { afterEach, expect, test } from 'vitest'
import { typeAs, typed } from './typed.ts'

afterEach(() => typeAs('pdpp'))

test('names our commands as they are typed here', () => {
  typeAs('./pdpp')
  expect(typed('Run pdpp setup codex, or pdpp --help.')).toBe('Run ./pdpp setup codex, or ./pdpp --help.')
  for (const line of ['codex mcp add pdpp --url http://x/mcp', 'claude mcp add --scope user pdpp -- node a.mjs'])
    expect(typed(line)).toBe(line)
})

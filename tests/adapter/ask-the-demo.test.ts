import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, '..', '..', 'examples', 'ask-the-demo', 'main.ts')
const run = (...questions: string[]) =>
  spawnSync(process.execPath, [main, ...questions], { encoding: 'utf8', timeout: 120_000 })

test('a reader of texts alone answers five questions', () => {
  const { status, stdout, stderr } = run()
  expect(stdout + stderr).toMatch(/(?:\n {3}right\n.*?){5}/s)
  for (const tool of ['search', 'query_records', 'read_record_field', 'fetch']) expect(stdout).toContain(`   ${tool} {`)
  expect(status).toBe(0)
})

test('a wrong answer is seen as one', () => {
  // The question is in English and the mail in German, so they have no word in common.
  const { status, stdout } = run('What went wrong with the worktop?')
  expect(stdout).toContain('wrong: it lacks')
  expect(status).toBe(1)
})

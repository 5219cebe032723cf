import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { temporaryDirectory } from '../fixtures/processes.ts'

const main = join(import.meta.dirname, '..', '..', 'examples', 'ask-the-demo', 'main.ts')

async function run(...questions: string[]) {
  const demo = temporaryDirectory()
  await copyDemo(demo)
  return spawnSync(process.execPath, [main, '--demo', demo, ...questions], { encoding: 'utf8', timeout: 120_000 })
}

test('a reader of texts alone answers five questions', async () => {
  const { status, stdout, stderr } = await run()
  expect(stdout + stderr).toMatch(/(?:\n {3}right\n.*?){5}/s)
  for (const tool of ['search', 'query_records', 'read_record_field', 'fetch']) expect(stdout).toContain(`   ${tool} {`)
  expect(status).toBe(0)
})

test('a wrong answer is seen as one', async () => {
  // The question is in English and the mail in German, so they have no word in common.
  const { status, stdout } = await run('What went wrong with the worktop?')
  expect(stdout).toContain('wrong: it lacks')
  expect(status).toBe(1)
})

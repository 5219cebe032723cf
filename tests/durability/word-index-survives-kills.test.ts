import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStorage } from '@pdpp/server'
import { expect, it } from 'vitest'
import { scopeFor } from '../../packages/server/src/storage/contract/contract.fixture.ts'
import { indexProblems } from '../../packages/server/src/storage/sqlite/words/index-check.fixture.ts'
import { temporaryDirectory } from '../fixtures/processes.ts'
import { repetitions } from '../fixtures/repetitions.ts'

const ROUNDS = repetitions(4, 100)
const WRITER = join(import.meta.dirname, 'word-writer.ts')

it(`loses and doubles no word when killed ${ROUNDS} times while it writes`, async () => {
  const directory = temporaryDirectory()
  let batches = 0
  for (let round = 0; round < ROUNDS; round++) {
    const writer = spawn(process.execPath, [WRITER, directory, round === 0 ? 'first' : 'again'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let written = 0
    writer.stdout.on('data', (dots: Buffer) => {
      written += dots.length
    })
    await expect.poll(() => written, { timeout: 120_000 }).toBeGreaterThan(40)
    await sleep(Math.random() * 300)
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    batches += written
    // Rows of a merge that was cut off may be left. Everything else is right at once.
    const problems = indexProblems(directory).filter((problem) => !/state|lacks words/.test(problem))
    expect(problems, `round ${round}`).toEqual([])
  }
  const storage = openSqliteStorage(directory)
  await storage.writer.resume()
  const targets = [{ scope: scopeFor(['home']), fields: ['title'], conditions: [] }]
  const { total } = await storage.search.search(targets, { text: 'gull', limit: 1 })
  expect(total).toBe(await storage.records.count(targets[0]!.scope, [], undefined))
  await storage.close()
  expect(indexProblems(directory)).toEqual([])
  expect(batches).toBeGreaterThan(40 * ROUNDS)
}, 1_200_000)

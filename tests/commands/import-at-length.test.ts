// Imports that take long: large files, interruptions, watched folders.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPdpp, startPdpp, temporaryDirectory } from '../fixtures/processes.ts'
import { repetitions } from '../fixtures/repetitions.ts'

function workplace() {
  const folder = temporaryDirectory()
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  return { folder, dataDir: join(folder, 'data'), file }
}

const ROWS = repetitions(12_500, 75_000)
const LETTERS = 'abcdefghijklmnop'

/** Rows of four kilobytes. */
function largeFile(path: string, rows: number) {
  writeFileSync(path, 'id,at,payload\n')
  for (let from = 0; from < rows; from += 500) {
    const lines = Array.from({ length: Math.min(500, rows - from) }, (_, n) => {
      const id = from + n
      return `r${id},2025-01-${String((id % 28) + 1).padStart(2, '0')}T10:00:00Z,"${(LETTERS + id).repeat(200)}"\n`
    })
    appendFileSync(path, lines.join(''))
  }
  return path
}

describe('a large file', () => {
  it(`of ${ROWS} rows is imported with a small heap`, async () => {
    const { folder, dataDir } = workplace()
    const path = largeFile(join(folder, 'large.csv'), ROWS)
    const result = await runPdpp(['import', path, '--yes', '--text', 'id', '--json'], {
      dataDir,
      env: { NODE_OPTIONS: '--max-old-space-size=56' },
    })
    expect([result.code, result.stderr]).toEqual([0, ''])
    expect(JSON.parse(result.stdout).imports[0].streams).toMatchObject([{ name: 'large', new: ROWS, refused: 0 }])
  }, 300_000)

  it('can be interrupted or killed, and the same command finishes it', async () => {
    const { folder, dataDir } = workplace()
    const path = largeFile(join(folder, 'large.csv'), 12_000)
    const args = ['import', path, '--yes', '--jsonl']
    const seen = async (signal: NodeJS.Signals) => {
      const command = await startPdpp(args, { dataDir })
      await command.printed(/"event":"progress"/)
      return { ...(await command.stop(signal)), out: command.output().out }
    }
    const interrupted = await seen('SIGINT')
    expect(interrupted.code).toBe(130)
    const result = JSON.parse(interrupted.out.trim().split('\n').at(-1)!)
    expect(result).toMatchObject({ event: 'result', interrupted: true })
    const taken = result.streams[0].new
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(12_000)
    expect((await seen('SIGKILL')).signal).toBe('SIGKILL')
    const last = await runPdpp(args, { dataDir })
    const { streams } = JSON.parse(last.stdout.trim().split('\n').at(-1)!)
    expect(streams[0]).toMatchObject({ records_read: 12_000, changed: 0 })
    expect(streams[0].unchanged).toBeGreaterThanOrEqual(taken)
    expect(streams[0].new + streams[0].unchanged).toBe(12_000)
  }, 120_000)
})

describe('a watched folder', () => {
  it('is kept fresh, whatever is broken', async () => {
    const { folder, dataDir, file } = workplace()
    file('in/orders.csv', 'Order ID,Order Date,Title\nA-1,2025-03-14,Hose\nA-2,2025-03-15,Tea\n')
    await new Promise((resolve) => setTimeout(resolve, 600))
    const command = await startPdpp(['import', '--watch', join(folder, 'in'), '--yes', '--jsonl'], { dataDir })
    await command.printed(/Watching/)
    const results = () =>
      command
        .output()
        .out.trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'result')
        .map(({ streams }) => streams.map((s: any) => [s.name, s.new, s.changed, s.unchanged]))
    const until = async (count: number) => {
      while (results().length < count) await new Promise((resolve) => setTimeout(resolve, 50))
      return results().at(-1)
    }
    expect(await until(1)).toEqual([['orders', 2, 0, 0]])
    file('in/broken.sqlite', 'SQLite format 3\u0000nonsense')
    await command.printed(/t be read as a database/)
    appendFileSync(join(folder, 'in/orders.csv'), 'A-3,2025-05-01,Rug\n')
    expect(await until(2)).toEqual([['orders', 1, 0, 2]])
    file(
      'in/deeper/letter.eml',
      'From: ana@fisk.example\nSubject: Letter\nDate: Fri, 07 Feb 2025 19:21:04 +0200\n\nWords\n',
    )
    expect(await until(3)).toEqual([
      ['messages', 1, 0, 0],
      ['attachments', 0, 0, 0],
    ])
    expect(await command.stop('SIGINT')).toEqual({ code: 0, signal: null })
  })
})

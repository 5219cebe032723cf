// Node's own `fetch` crashes the process, past every `catch`, if a server closes while an answer waits to be read.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, INITIALIZE, INITIALIZED, startStdioAdapter } from '../../conformance/adapter/fixtures/adapter-process.ts'
import { cacheFor } from '../../conformance/adapter/fixtures/other-server.ts'
import { PDPP } from '../fixtures/built-command.ts'
import { closingServer, ENDS, FRAMES, pathOf, SIZES_KB } from './closing-server.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MANNERS = FRAMES.flatMap((frame) => ENDS.flatMap((end) => SIZES_KB.map((sizeKb) => ({ frame, end, sizeKb }))))

/** Answers of this size make the built-in `fetch` wait for their reader. */
const AT_THE_BRINK = MANNERS.filter(({ sizeKb }) => sizeKb === 64)

test('a server that closes at any point fails the call and nothing else', async () => {
  const url = await closingServer()
  const { code, stdout, stderr } = await run(
    join(ROOT, 'tests/durability/closing-server-client.ts'),
    MANNERS.map((manner) => `${url}${pathOf(manner)}`),
  )
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.trim().split('\n')
  expect(lines).toHaveLength(MANNERS.length * 3)
  const unclear = lines.filter((line) => !/ (read \d+|failed: (fetch failed|terminated))$/.test(line))
  expect(unclear).toEqual([])
  // A complete answer is read even after a long wait. An incomplete answer never counts as complete.
  const plain = lines.filter((line) => / none /.test(line))
  for (const line of plain.filter((each) => /\/whole\/end\//.test(each)))
    expect(line).toMatch(new RegExp(` read ${Number(/\/(\d+) none/.exec(line)![1]) * 1024}$`))
  for (const line of plain.filter((each) => /\/(short\/|chunked\/\w+\/[1-9])/.test(each)))
    expect(line).toContain('failed')
})

test.each(AT_THE_BRINK.filter(({ frame, end }) => (frame === 'whole' || frame === 'short') && end !== 'destroy'))(
  'the stdio adapter continues after a server that closes: $frame, $end',
  async (manner) => {
    const url = await closingServer(manner)
    const { dataDir, cacheRoot } = cacheFor(url)
    const adapter = startStdioAdapter(['--provider-url', url, '--cache-root', cacheRoot], { cwd: dataDir })
    adapter.send(INITIALIZE)
    await adapter.receive()
    adapter.send(INITIALIZED)
    for (const id of [2, 3]) {
      adapter.send(call(id, 'schema'))
      expect(await adapter.receive()).toMatchObject({ id, result: { isError: true } })
    }
    adapter.closeInput()
    expect((await adapter.exited).code).toBe(0)
  },
)

test.each(AT_THE_BRINK)('a file piped to a slow reader from a server that closes: $frame, $end', async (manner) => {
  const url = await closingServer(manner)
  const { cacheRoot } = cacheFor(url)
  const { code, stdout, stderr } = await run(PDPP, ['read', 'blob', url, 'blob_1', '--cache-root', cacheRoot], 300)
  expect(stderr).not.toMatch(/Assertion|\n {4}at /)
  expect([0, 6]).toContain(code)
  if (manner.frame === 'whole' && manner.end === 'end') expect([code, stdout.length]).toEqual([0, manner.sizeKb * 1024])
  if (manner.frame === 'short') expect([code, stderr]).toEqual([6, expect.stringContaining('was interrupted')])
})

test('nothing that runs in a process of ours calls the built-in fetch', () => {
  const files = ['protocol', 'importers', 'mcp', 'server', 'cli', 'demo'].flatMap((name) =>
    readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join('packages', name, 'src', file)),
  )
  expect(files.length).toBeGreaterThan(300)
  // Scripts of pages run in a browser.
  const callers = files
    .filter((file) => !/console\/\w+\/(?:[\w-]+-)?script\.ts$/.test(file))
    .filter((file) =>
      /(?<![\w.#])fetch\((?!\w+: )|globalThis\.fetch|from 'undici'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
  expect(callers).toEqual([])
})

function run(program: string, args: readonly string[], readAfterMs = 0) {
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text
  })
  // Listens from the start, because output without a listener is lost when the process ends.
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text
  })
  child.stdout.pause()
  setTimeout(() => child.stdout.resume(), readAfterMs)
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }))
  })
}

// Measures `pdpp import` as people run it: with real files on disk, one process for the command and another one for the
// server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { MadeExport } from '../../tests/fixtures/exports/made-export.ts'
import { startServerProcess } from '../server/server-process.ts'

const PDPP = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'pdpp.mjs')
const USAGE = join(import.meta.dirname, 'usage.ts')

export interface MeasuredCommand {
  readonly records: number
  /** Largest resident size of the process of the command. */
  readonly maxMegabytes: number
  readonly cpuSeconds: number
  /** CPU of the server for this import. Undefined without a server, or if the system does not report it. */
  readonly serverCpuSeconds: number | undefined
  readonly serverMegabytes: number | undefined
  readonly seconds: number
}

/** `offline`: no server runs, so the command opens the database itself. */
export async function measureCommand(made: MadeExport, items: number, offline: boolean): Promise<MeasuredCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-bench-'))
  try {
    return await measureIn(folder, made, items, offline)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureIn(folder: string, made: MadeExport, items: number, offline: boolean): Promise<MeasuredCommand> {
  const files = join(folder, 'export')
  writeExport(files, made, items)
  const dataDir = join(folder, 'data')
  const server = offline ? undefined : await startServerProcess(dataDir)
  try {
    const before = server?.cpuMs()
    const started = performance.now()
    const { records, used } = await runImport(files, dataDir, join(folder, 'usage.json'))
    const seconds = (performance.now() - started) / 1000
    const after = server?.cpuMs()
    const serverCpuSeconds = before === undefined || after === undefined ? undefined : (after - before) / 1000
    const resident = server?.residentMegabytes()
    const serverMegabytes = resident === undefined ? undefined : Math.round(resident * 1.048576)
    return { records, ...used, serverCpuSeconds, serverMegabytes, seconds }
  } finally {
    await server?.stop()
  }
}

/** Writes one piece of the file at a time, because the file may be larger than memory. */
function writeExport(folder: string, made: MadeExport, items: number): void {
  for (const input of made.inputs(items)) {
    const path = join(folder, input.name)
    mkdirSync(dirname(path), { recursive: true })
    if ('database' in input) {
      input.database(path)
      continue
    }
    const file = openSync(path, 'w')
    for (const piece of input.pieces()) writeSync(file, typeof piece === 'string' ? Buffer.from(piece) : piece)
    closeSync(file)
  }
}

async function runImport(files: string, dataDir: string, usage: string) {
  const child = spawn(process.execPath, ['--import', USAGE, PDPP, 'import', files, '--yes', '--json'], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], NO_COLOR: '1', PDPP_DATA_DIR: dataDir, PDPP_BENCH_USAGE: usage },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The import ended with ${code}: ${printed.slice(0, 2000)}`)
  const { imports } = JSON.parse(printed) as { imports: { streams: { new: number }[] }[] }
  const records = imports.flatMap(({ streams }) => streams).reduce((sum, stream) => sum + stream.new, 0)
  const used = JSON.parse(readFileSync(usage, 'utf8')) as { maxMegabytes: number; cpuSeconds: number }
  return { records, used }
}

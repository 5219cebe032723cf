// The demo owner's data directory: loaded by `pdpp demo` once in a run of the tests, then copied to whoever asks.
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { runPdpp } from './processes.ts'

export async function copyDemo(dataDir: string): Promise<void> {
  const loaded = join(inject('runDirectory'), 'demo')
  if (!existsSync(loaded)) await load(loaded)
  cpSync(loaded, dataDir, { recursive: true })
}

/** Test files that start together may both load it; the first to be done is the one that counts. */
async function load(loaded: string): Promise<void> {
  const draft = mkdtempSync(`${loaded}-`)
  const { code, stderr } = await runPdpp(['demo'], { dataDir: draft, atEnd: () => {} })
  if (code !== 0) throw new Error(stderr)
  try {
    renameSync(draft, loaded)
  } catch {
    rmSync(draft, { recursive: true })
  }
}

// The command of a clone as a bundle. It starts in half the CPU time that the sources need, in less memory. The bundle
// belongs to the sources as they are now: after any change they run by themselves until it is built again.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundle, startedFiles } from './bundle.ts'

const FOLDER = './built-folder.mjs'
const { PREFIX, folderNow } = (await import(FOLDER)) as { PREFIX: string; folderNow(packages?: string): string }

/** Older bundles stay for a while, because a running server loads some of its files late. */
const KEPT = 4

export async function buildCommand(packages: string = join(import.meta.dirname, '..', 'packages')): Promise<string> {
  const folder = folderNow(packages)
  if (existsSync(folder)) return folder
  const entries = ['cli', 'mcp', 'server'].flatMap((name) => {
    const src = join(packages, name, 'src')
    return startedFiles(src).map((file) => join(src, file))
  })
  removeOld(dirname(folder))
  const draft = mkdtempSync(join(dirname(folder), `${PREFIX}draft-`))
  try {
    await bundle({ entries, into: draft, node: process.versions.node })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have built the same one meanwhile.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function removeOld(home: string): void {
  const folders = readdirSync(home).filter((name) => name.startsWith(PREFIX))
  const byAge = folders.map((name) => ({ name, age: statSync(join(home, name)).mtimeMs })).sort((a, b) => b.age - a.age)
  for (const { name } of byAge.slice(KEPT)) rmSync(join(home, name), { recursive: true, force: true })
}

// The launcher starts this file as a program.
if (import.meta.main) await buildCommand()

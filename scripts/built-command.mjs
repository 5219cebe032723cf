// The command of a clone as a bundle. It starts in half the CPU time that the sources need, in less memory. The bundle
// belongs to the sources as they are now: after any change they run by themselves until it is built again. Plain
// JavaScript, because each command of a clone runs it: with TypeScript, a server would keep the memory of Node's compiler.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = fileURLToPath(import.meta.url)
const PACKAGES = join(dirname(dirname(here)), 'packages')
const PREFIX = 'built-'
/** Older bundles stay for a while, because a running server loads some of its files late. */
const KEPT = 4

/** The folder of the bundle, or undefined if it has not been built from these sources. */
export function builtCommand(packages = PACKAGES) {
  const folder = folderNow(packages)
  return existsSync(folder) ? folder : undefined
}

/** Builds the bundle in a process of its own, because the bundler takes 250 MB and does not give them back. */
export async function buildApart() {
  const folder = builtCommand()
  if (folder !== undefined) return folder
  await promisify(execFile)(process.execPath, [here])
  return builtCommand()
}

export async function buildCommand(packages = PACKAGES) {
  const folder = folderNow(packages)
  if (existsSync(folder)) return folder
  // Loaded only if needed: the bundler takes longer to load than the command.
  const { bundle, startedFiles } = await import('./bundle.ts')
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

function removeOld(home) {
  const folders = readdirSync(home).filter((name) => name.startsWith(PREFIX))
  const byAge = folders.map((name) => ({ name, age: statSync(join(home, name)).mtimeMs })).sort((a, b) => b.age - a.age)
  for (const { name } of byAge.slice(KEPT)) rmSync(join(home, name), { recursive: true, force: true })
}

/** Beside `src`, so that the command finds its launcher by the same relative path. */
function folderNow(packages) {
  const hash = createHash('sha256').update(process.versions.node)
  for (const name of readdirSync(packages).sort()) addFiles(hash, join(packages, name, 'src'))
  return join(packages, 'cli', PREFIX + hash.digest('hex').slice(0, 16))
}

/** Times and sizes of files, as `make` compares them: reading all files would take as long as running them. */
function addFiles(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFiles(hash, path)
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) {
      const { mtimeMs, size } = statSync(path)
      hash.update(`${path} ${mtimeMs} ${size}\n`)
    }
  }
}

if (import.meta.main) await buildCommand()

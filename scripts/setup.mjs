// Sets up the clone: downloads a current Node if the installed one is too old, then installs the packages of the lock
// file. It prints only to stderr, because stdout may carry a protocol (MCP over stdio).
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npm } from './npm.mjs'
import {
  currentNode,
  isIntact,
  lockHash,
  modulesMark,
  modulesReady,
  root,
  runtimeFolder,
  runtimeMark,
  runtimePackage,
  runtimePin,
} from './runtime.mjs'
import { takeLock } from './setup-lock.mjs'
import { installedPart, withProgress } from './setup-progress.mjs'

const say = (text) => console.error(`Setting up: ${text}`)

/** Returns 0 if the clone is ready. Otherwise prints the reason and returns the exit code. */
export async function setUp() {
  const started = Date.now()
  let release
  try {
    release = await takeLock(() => say('waiting for another command that is already doing it …'))
    if (!currentNode()) await fetchNode()
    if (!modulesReady()) await installPackages()
    say(`ready after ${((Date.now() - started) / 1000).toFixed(1)} s`)
    return 0
  } catch (error) {
    console.error(error.message)
    return error.exitCode ?? 1
  } finally {
    release?.()
  }
}

/** Downloads the pinned Node for this machine and keeps it only if its hash matches. */
export async function fetchNode() {
  const pinned = runtimePackage()
  const have = `This is ${process.versions.node}`
  if (!pinned)
    throw new Error(
      `PDPP needs Node 24.7 or newer. ${have}, and there is no download for this machine. Please install Node.`,
    )
  rmSync(runtimeFolder, { recursive: true, force: true })
  mkdirSync(runtimeFolder, { recursive: true })
  try {
    const archive = await withProgress(
      `downloading Node ${pinned.version} (about 50 MB, once), because this is ${process.versions.node}`,
      () => fetchArchive(pinned),
    )
    const target = ['--prefix', runtimeFolder, '--no-save', '--no-package-lock', '--offline', archive]
    const unpacked = await npm(process.execPath, ['install', '--ignore-scripts', ...target], runtimeFolder)
    if (unpacked.code !== 0)
      throw failure(unpacked, 'npm could not unpack Node; the reason is above. Free some disk space,')
    rmSync(archive)
    acceptNode(pinned)
  } catch (error) {
    rmSync(runtimeFolder, { recursive: true, force: true })
    throw error
  }
}

// Checks the hash before anything is unpacked or run.
async function fetchArchive({ name, version, integrity }) {
  const spec = `${name}@${version}`
  const fetched = await npm(process.execPath, ['pack', spec, '--pack-destination', runtimeFolder], runtimeFolder)
  if (fetched.code !== 0)
    throw failure(
      fetched,
      'npm could not download Node; the reason is above. Check the network, or install Node 24.7 or newer,',
    )
  const archive = readdirSync(runtimeFolder).find((file) => file.endsWith('.tgz'))
  if (archive !== undefined && isIntact(readFileSync(join(runtimeFolder, archive)), integrity))
    return join(runtimeFolder, archive)
  throw new Error(
    `The download of ${spec} does not match its hash in scripts/runtime-pins.json, so it was deleted and not run. Somebody may have changed it on the way. Try another network, or install Node 24.7 or newer.`,
  )
}

// The file with the hash is written last, and only if this Node runs, so that a partial download is never used.
function acceptNode({ binary, integrity }) {
  const path = join(runtimeFolder, binary)
  const folder = dirname(dirname(path))
  for (const unused of ['include', 'share']) rmSync(join(folder, unused), { recursive: true, force: true })
  const trial = spawnSync(path, ['-v'], { encoding: 'utf8' })
  if (trial.status !== 0)
    throw new Error(`The downloaded Node does not run here: ${trial.error?.message ?? trial.stderr}`)
  writeFileSync(runtimePin, integrity)
  writeFileSync(runtimeMark, binary)
}

async function installPackages() {
  const hash = lockHash()
  // Without these flags, a production setting in the environment would leave out packages that `npm test` needs.
  const everything = ['--include=dev', '--include=optional']
  const result = await withProgress(
    'installing packages',
    () => npm(currentNode(), ['ci', '--ignore-scripts', '--prefer-offline', ...everything], root),
    installedPart(root),
  )
  if (result.code !== 0)
    throw failure(result, 'npm could not install the packages; the reason is above. Check the network,')
  writeFileSync(modulesMark, hash)
}

function failure({ code, output }, sentence) {
  const interrupted = code > 128
  const text = interrupted ? 'Setting up: interrupted.' : `${output}\n${sentence} then run the command again.`
  return Object.assign(new Error(text.trim()), { exitCode: interrupted ? code : 1 })
}

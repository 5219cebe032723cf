// Sets the clone up: a current Node where the installed one is too old, then the packages of the lock file.
// Everything it says goes to stderr, because stdout may belong to a protocol (stdio MCP).
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

const say = (text) => console.error(`Setting up: ${text}`)

/** 0 when the clone is ready, else the exit code to leave with, the reason having been printed. */
export async function setUp() {
  const started = Date.now()
  let release
  try {
    release = await takeLock(() => say('another command is doing it already, waiting …'))
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

/** Fetches the Node that this clone names for this machine, and keeps it only if it is that one. */
export async function fetchNode() {
  const wanted = runtimePackage()
  const have = `this is ${process.versions.node}`
  if (!wanted) throw new Error(`PDPP needs Node 24.7 or newer; ${have}, and there is none to fetch for this machine.`)
  say(`Node ${wanted.version}, because ${have} (about 50 MB, once) …`)
  rmSync(runtimeFolder, { recursive: true, force: true })
  mkdirSync(runtimeFolder, { recursive: true })
  try {
    const archive = await fetchArchive(wanted)
    const target = ['--prefix', runtimeFolder, '--no-save', '--no-package-lock', '--offline', archive]
    const unpacked = await npm(process.execPath, ['install', '--ignore-scripts', ...target], runtimeFolder)
    if (unpacked.code !== 0) throw failure(unpacked, 'npm could not unpack Node; its reason is above. Make room,')
    rmSync(archive)
    acceptNode(wanted)
  } catch (error) {
    rmSync(runtimeFolder, { recursive: true, force: true })
    throw error
  }
}

// The bytes are compared with the hash of this clone before anything of them is unpacked or run.
async function fetchArchive({ name, version, integrity }) {
  const spec = `${name}@${version}`
  const fetched = await npm(process.execPath, ['pack', spec, '--pack-destination', runtimeFolder], runtimeFolder)
  if (fetched.code !== 0)
    throw failure(
      fetched,
      'npm could not fetch Node; its reason is above. Check the network, or install Node 24.7 or newer,',
    )
  const archive = readdirSync(runtimeFolder).find((file) => file.endsWith('.tgz'))
  if (archive !== undefined && isIntact(readFileSync(join(runtimeFolder, archive)), integrity))
    return join(runtimeFolder, archive)
  throw new Error(
    `What was fetched as ${spec} is not what this clone expects (its hash is another than that in scripts/runtime-pins.json), so it was removed and not run. Somebody may have changed it on the way: try another network, or install Node 24.7 or newer.`,
  )
}

// The mark is written last and only for a Node that runs, so that half a download never counts.
function acceptNode({ binary, integrity }) {
  const path = join(runtimeFolder, binary)
  const folder = dirname(dirname(path))
  for (const unused of ['include', 'share']) rmSync(join(folder, unused), { recursive: true, force: true })
  const trial = spawnSync(path, ['-v'], { encoding: 'utf8' })
  if (trial.status !== 0) throw new Error(`The fetched Node does not run here: ${trial.error?.message ?? trial.stderr}`)
  writeFileSync(runtimePin, integrity)
  writeFileSync(runtimeMark, binary)
}

async function installPackages() {
  say('packages …')
  const hash = lockHash()
  // A production setting in the caller's environment would leave out what `npm test` needs.
  const everything = ['--include=dev', '--include=optional']
  const result = await npm(currentNode(), ['ci', '--ignore-scripts', '--prefer-offline', ...everything], root)
  if (result.code !== 0)
    throw failure(result, 'npm could not install the packages; its reason is above. Check the network,')
  writeFileSync(modulesMark, hash)
}

function failure({ code, output }, sentence) {
  const interrupted = code > 128
  const text = interrupted ? 'Setting up: interrupted.' : `${output}\n${sentence} then run the command again.`
  return Object.assign(new Error(text.trim()), { exitCode: interrupted ? code : 1 })
}

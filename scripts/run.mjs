// Runs a script of this clone with a current Node: `node scripts/run.mjs <script> [arguments]`.
// A clone that is not set up sets itself up first, so that `npm start` and `npm test` are all anybody has to know.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentNode, modulesReady, root } from './runtime.mjs'
import { supervise } from './supervise.mjs'

export async function run([script, ...rest]) {
  if (!script) {
    console.error('Usage: node scripts/run.mjs <script> [arguments]')
    return 64
  }
  if (!currentNode() || !modulesReady()) {
    // Loaded only when needed: it costs every later start a few milliseconds.
    const { setUp } = await import('./setup.mjs')
    const code = await setUp()
    if (code !== 0) return code
  }
  const node = currentNode()
  const child = spawn(node, [resolve(root, script), ...rest], { stdio: 'inherit', env: environment(node) })
  return supervise(child)
}

// The chosen Node comes first on PATH, so that whatever the script starts by name finds the same one.
function environment(node) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'v8') }
  // On Windows a copy of the environment may spell it Path, and a second PATH would hide the first.
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[key] = env[key] ? dirname(node) + delimiter + env[key] : dirname(node)
  return env
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exit(await run(process.argv.slice(2)))
}

// Runs a script of this clone with a current Node: `node scripts/run.mjs <script> [arguments]`.
// Sets up the clone first if needed, so that `npm start` and `npm test` work at once.
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
    // The module is loaded only if needed, because loading it takes a few milliseconds.
    const { setUp } = await import('./setup.mjs')
    const code = await setUp()
    if (code !== 0) return code
  }
  const node = currentNode()
  const child = spawn(node, [resolve(root, script), ...rest], { stdio: 'inherit', env: environment(node) })
  return supervise(child)
}

// Puts the chosen Node first on PATH, so that programs started by the script use it too.
function environment(node) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'v8') }
  // On Windows the variable may be called Path, and adding PATH would hide it.
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[key] = env[key] ? dirname(node) + delimiter + env[key] : dirname(node)
  return env
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exit(await run(process.argv.slice(2)))
}

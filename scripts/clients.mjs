// `npm run test:clients` installs real agents from the package registry and runs the commands that we print for them.
// The agents take about 1.3 GB, so they are no dev dependencies, and `npm test` skips these tests.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npm } from './npm.mjs'

const root = dirname(import.meta.dirname)
const folder = join(root, '.cache', 'clients')

/** The newest versions with which the printed commands were tested. */
const AGENTS = {
  '@anthropic-ai/claude-code': '2.1.197',
  '@google/gemini-cli': '0.61.0',
  '@modelcontextprotocol/inspector': '0.15.0',
  '@openai/codex': '0.169.0',
  mcporter: '0.9.0',
  'opencode-ai': '1.18.33',
}
/** Scripts of these packages that move the program for this machine to its place. npm has already downloaded it. */
const UNPACK = [
  ['@anthropic-ai/claude-code', 'install.cjs'],
  ['opencode-ai', 'postinstall.mjs'],
]

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: AGENTS }))
console.log('Installing the agents …')
const installed = await npm(process.execPath, ['install', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
for (const [name, script] of UNPACK)
  spawnSync(process.execPath, [script], { cwd: join(folder, 'node_modules', name), stdio: 'inherit' })
const tests = join(root, 'scripts', 'test.ts')
const env = { ...process.env, PDPP_CLIENTS: folder }
process.exitCode =
  installed.code === 0
    ? (spawnSync(process.execPath, [tests, 'tests/clients'], { cwd: root, env, stdio: 'inherit' }).status ?? 1)
    : installed.code

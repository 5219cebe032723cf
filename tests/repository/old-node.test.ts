// Which Node is needed is said by the packages, by the command and by the set-up of a clone: once, and the same.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const load = (path: string) => import(join(root, path))
const engine = (name: string) =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).engines.node

test('an old Node learns what is needed, and a clone fetches a newer one', async () => {
  const { tooOld } = await load('packages/cli/bin/launch.mjs')
  const { isCurrent } = await load('scripts/runtime.mjs')
  for (const version of ['18.20.4', '20.20.2', '22.20.0', '24.6.9']) {
    expect(tooOld(version)).toContain(`Node 24.7 or newer, and this is ${version}.`)
    expect(isCurrent(version)).toBe(false)
  }
  for (const version of ['24.7.0', '24.21.0', '25.0.0', '26.1.0'])
    expect([tooOld(version), isCurrent(version)]).toEqual([undefined, true])
  expect(['cli', 'server'].map(engine)).toEqual(['>=24.7', '>=24.7'])
})

test('the adapter runs on older ones than the command, and says which', async () => {
  const { tooOld } = await load('packages/mcp/bin/start.mjs')
  for (const version of ['16.20.2', '18.20.4', '20.20.2', '22.17.1'])
    expect(tooOld('pdpp-mcp-server', version)).toBe(
      `pdpp-mcp-server needs Node 22.18 or newer, and this is ${version}: install a current one from https://nodejs.org.`,
    )
  for (const version of ['22.18.0', '24.21.0', '26.1.0']) expect(tooOld('pdpp-mcp-server', version)).toBeUndefined()
  expect(engine('mcp')).toBe('>=22.18')
})

const STARTERS = [
  'packages/mcp/bin/start.mjs',
  'packages/mcp/bin/pdpp-mcp-server.mjs',
  'packages/mcp/bin/pdpp-mcp-server-developer.mjs',
  'packages/cli/bin/launch.mjs',
  'packages/cli/bin/pdpp.mjs',
]
/** Names that Node 16 has too. A missing name is an error before the first line runs. */
const OLD_NAMES = ['existsSync', 'dirname', 'join', 'fileURLToPath', 'pathToFileURL', 'start', 'launch']

test.each(STARTERS)('%s can be read by an old Node', (file) => {
  const imports = readFileSync(join(root, file), 'utf8').matchAll(/^import \{([^}]*)\}/gm)
  const names = [...imports].flatMap(([, list]) => list!.split(',').map((name) => name.trim()))
  expect(names.filter((name) => !OLD_NAMES.includes(name))).toEqual([])
})

/** Every other Node on this machine's path that is too old for the adapter. */
const oldOnes = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((path) => existsSync(path) && path !== process.execPath)
  .map((path) => ({
    path,
    version: spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim(),
  }))
  .filter(({ version }) => /^(1\d|20|21)\./.test(version))
if (oldOnes.length === 0)
  console.warn('No old Node on the path: that the adapter refuses one is tried only by its words.')

test.each(oldOnes)('Node $version at $path gets one sentence and no trace', ({ path, version }) => {
  for (const name of ['pdpp-mcp-server', 'pdpp-mcp-server-developer']) {
    const { status, stdout, stderr } = spawnSync(path, [join(root, 'packages/mcp/bin', `${name}.mjs`)], {
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      `${name} needs Node 22.18 or newer, and this is ${version}: install a current one from https://nodejs.org.\n`,
    ])
  }
})

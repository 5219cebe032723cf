// Which Node is needed is said by the packages, by the command and by the set-up of a clone: once, and the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const load = (path: string) => import(join(root, path))
const engine = (name: string) =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).engines.node

test('an old Node is told what is needed, and a clone fetches a newer one for the same versions', async () => {
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

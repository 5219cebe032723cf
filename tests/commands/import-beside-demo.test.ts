// Demo data never mixes with the owner's data by accident: an import next to it warns or asks.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { newPerson, terminalAvailable } from '../../packages/cli/tests/command.ts'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const ORDERS = 'id,item\na,rope\nb,tea\n'

async function withDemo() {
  const folder = temporaryDirectory()
  const dataDir = join(folder, 'data')
  await copyDemo(dataDir)
  const file = join(folder, 'orders.csv')
  writeFileSync(file, ORDERS)
  const run = (...args: string[]) => runPdpp(['import', file, '--yes', ...args], { dataDir })
  const sources = async (): Promise<string[]> =>
    JSON.parse((await runPdpp(['owner', 'connection', 'list', '--json'], { dataDir })).stdout).data.map(
      (each: any) => each.connector_key,
    )
  return { run, sources, dataDir }
}

it('in a script says that demo data is here, and imports all the same', async () => {
  const { run, sources } = await withDemo()
  const dry = await run('--remove-demo', '--dry-run')
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/The demo data is still here.*--keep-demo/)])
  const kept = await run('--keep-demo', '--json')
  expect([kept.code, kept.stderr, JSON.parse(kept.stdout).demo_data]).toEqual([0, '', 'kept'])
  expect((await sources()).length).toBeGreaterThan(3)
  const removed = await run('--remove-demo', '--json')
  expect(JSON.parse(removed.stdout).demo_data).toBe('removed')
  expect(await sources()).toEqual(['orders'])
}, 240_000)

it('removes the demo while a server runs, and only the demo', async () => {
  const { run, sources, dataDir } = await withDemo()
  await run('--keep-demo')
  await startServerProcess({ dataDir })
  const removed = await runPdpp(['demo', 'remove'], { dataDir })
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringMatching(/^The demo data is gone: \d+ sources/)])
  expect(await sources()).toEqual(['orders'])
  expect((await runPdpp(['demo', 'remove'], { dataDir })).stdout).toBe('There is no demo data here.\n')
}, 240_000)

describe.skipIf(!terminalAvailable)('in a terminal', () => {
  it.each([
    ['\r', false],
    ['n\r', true],
  ])(
    'asks, and %j leaves the demo: %s',
    async (type, isKept) => {
      const person = newPerson()
      await copyDemo(join(person.home, 'data'))
      const file = join(person.home, 'orders.csv')
      writeFileSync(file, ORDERS)
      const keys = [
        { after: /Remove it first\?/, type },
        { after: /Import this\?/, type: '\r' },
      ]
      const { code, stdout } = await person.terminal(['import', file], { keys })
      expect([code, stripVTControlCharacters(stdout)]).toEqual([0, expect.stringContaining('2 new')])
      const { data } = JSON.parse((await person.run(['owner', 'connection', 'list', '--json'])).stdout)
      expect(data.length > 1).toBe(isKept)
    },
    240_000,
  )
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { newPerson, type Person, terminalAvailable } from './command.ts'

const CTRL_C = '\u0003'
/** More than a fast machine imports within the second after which progress is shown. */
const ROWS = 40_000

function diary(person: Person, rows: number): string {
  const file = join(person.home, 'diary.csv')
  const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toISOString()
  const lines = Array.from(
    { length: rows },
    (_, n) => `d${n},${day(n)},"Day ${n}: ${'it rained, and '.repeat(8)}we read"`,
  )
  writeFileSync(file, `id,written_at,text\n${lines.join('\n')}\n`)
  return file
}

const plain = (text: string) => stripVTControlCharacters(text).replaceAll('\r', '\n')

async function sources(person: Person): Promise<any[]> {
  return JSON.parse((await person.run(['owner', 'sources', '--json'])).stdout).data
}

it('finishes after the reader of its output has closed the pipe', async () => {
  const person = newPerson()
  const running = await person.start(['import', diary(person, 5000), '--yes'])
  await running.printed(/diary\.csv/)
  running.child.stdout.destroy()
  expect((await running.exited).code).toBe(0)
  expect((await sources(person))[0].streams[0].record_count).toBe(5000)
})

describe.skipIf(!terminalAvailable)('pdpp import in a terminal', () => {
  it('shows the plan and imports after Enter only', async () => {
    const person = newPerson()
    const file = diary(person, 3)
    const answer = async (type: string) => {
      const { code, stdout } = await person.terminal(['import', file], { keys: [{ after: /Import this\?/, type }] })
      return { code, shown: plain(stdout) }
    }
    const no = await answer('n\r')
    for (const told of ['diary.csv (csv)', 'A new source, "diary"', /id +text +all +key/, /written_at +date and time/])
      expect(no.shown).toMatch(told)
    expect([no.code, no.shown]).toEqual([0, expect.stringContaining('Nothing new was imported.')])
    const stopped = await answer(CTRL_C)
    expect([stopped.code, stopped.shown]).toEqual([130, expect.stringContaining('Nothing new was imported.')])
    expect(await sources(person)).toEqual([])
    const yes = await answer('\r')
    expect([yes.code, yes.shown]).toEqual([0, expect.stringContaining('diary: 3 new, 0 changed, 0 unchanged')])
    expect(yes.shown).toMatch(/owner grant create .*--connection diary/)
  }, 120_000)

  it('keeps records after Ctrl-C and continues when repeated', async () => {
    const person = newPerson()
    const file = diary(person, ROWS)
    const first = await person.terminal(['import', file], {
      keys: [
        { after: /Import this\?/, type: 'y\r' },
        { after: /diary\.csv: \d+ %, [\d,]+ items, [\d,]+ per second/, type: CTRL_C },
      ],
    })
    expect([first.code, plain(first.stdout)]).toEqual([130, expect.stringContaining('Run the same command again')])
    // The line is removed from the screen again.
    expect(first.stdout.split('per second').at(-1)).toContain('\r\u001b[K')
    const taken = Number(/diary: ([\d,]+) new, 0 changed/.exec(plain(first.stdout))![1]!.replaceAll(',', ''))
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(ROWS)
    const [source] = await sources(person)
    expect([source.connector_key, source.streams[0].record_count]).toEqual(['diary', taken])

    const second = await person.terminal(['import', file])
    expect(plain(second.stdout)).not.toContain('Import this?')
    const told = `diary: ${(ROWS - taken).toLocaleString('en')} new, 0 changed, ${taken.toLocaleString('en')} unchanged`
    expect([second.code, plain(second.stdout)]).toEqual([0, expect.stringContaining(told)])
  }, 120_000)
})

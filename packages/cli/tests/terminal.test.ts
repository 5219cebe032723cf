import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newPerson, sharedPerson, terminalAvailable } from './command.ts'
import { demoServer } from './demo-server.ts'

const demo = demoServer()
const me = sharedPerson()
const ESC = '\u001b['

beforeAll(async () => {
  await demo.connect(me, ['mail-personal', 'mail-work'])
})

const plain = (text: string) => stripVTControlCharacters(text).replaceAll('\r', '')

describe.skipIf(!terminalAvailable)('in a terminal', () => {
  test('hits are coloured in a terminal, without NO_COLOR, never in a pipe', async () => {
    const search = ['read', 'search', 'invoice', '--limit', '1']
    const coloured = await me.terminal(search, { env: { PAGER: 'cat' } })
    expect(coloured.stdout).toContain(`${ESC}33m${ESC}1minvoice`)
    for (const line of plain(coloured.stdout).split('\n').slice(0, 6)) expect(line.length).toBeLessThanOrEqual(100)
    const plainly = await me.terminal(search, { env: { NO_COLOR: '1', PAGER: 'cat' } })
    expect(plainly.stdout).not.toContain(ESC)
    const withoutCursor = (text: string) => plain(text).replace(/--cursor \S+/, '')
    expect(withoutCursor(plainly.stdout)).toBe(withoutCursor(coloured.stdout))
    const piped = await me.run(search, { env: { NO_COLOR: '' } })
    expect(piped.stdout + piped.stderr).not.toContain(ESC)
  })

  test('a table fits the width, keeps keys whole and says what it left out', async () => {
    for (const columns of [60, 100]) {
      const { stdout } = await me.terminal(['read', 'records', 'messages', '--limit', '3'], { columns })
      const rows = plain(stdout).split('\n').slice(0, 4)
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns)
      for (const row of rows.slice(1)) expect(row).toMatch(/^msg_\w{10} /)
      expect(plain(stdout)).toContain('Columns that do not fit')
    }
  })

  test('groups are bars as long as their numbers', async () => {
    const { stdout } = await me.terminal(['read', 'aggregate', 'messages', '--group-by', 'folder'])
    const bars = [...plain(stdout).matchAll(/^(\w+) +([\d,]+) {2}([█▏▎▍▌▋▊▉]+)$/gm)]
    const size = (name: string) => bars.find((bar) => bar[1] === name)![3]!.length
    expect(bars.length).toBeGreaterThan(5)
    expect(size('Sent') / size('Inbox')).toBeCloseTo(1420 / 1895, 1)
  })

  test('a long text is read in the pager to its end; --no-pager prints it', async () => {
    const seen = join(me.home, 'seen')
    const pager = join(me.home, 'pager')
    writeFileSync(pager, `#!/bin/sh\ncat > '${seen}'\n`, { mode: 0o755 })
    const page = JSON.parse(
      (await me.run(['read', 'records', 'messages', '--where', 'folder=Reports', '--limit', '1', '--json'])).stdout,
    )
    const [record] = page.data
    const id = `${record.connection_id}/messages:${record.id}`
    const shown = await me.terminal(['read', 'field', id, 'body'], { env: { PAGER: pager } })
    expect([shown.code, readFileSync(seen, 'utf8')]).toEqual([0, `${record.data.body}\n`])
    await me.terminal(['read', 'record', id], { env: { PAGER: pager } })
    expect(readFileSync(seen, 'utf8')).toContain(record.data.subject)
    const direct = await me.terminal(['read', 'record', id, '--no-pager'], { env: { PAGER: pager } })
    expect(plain(direct.stdout)).toContain(record.data.subject)
    const missing = await me.terminal(['read', 'record', id], { env: { PAGER: '/nowhere/pager' } })
    expect(plain(missing.stdout)).toContain(record.data.subject)
  })

  test('a token that is typed is not shown', async () => {
    const reader = newPerson()
    const { token } = await demo.grant(['notes'])
    const { code, stdout } = await reader.terminal(['connect', demo.url, '--with-token'], {
      keys: [{ after: /Token/, type: `${token}\r` }],
    })
    expect([code, plain(stdout)]).toEqual([0, expect.stringContaining('You may read:')])
    expect(plain(stdout)).not.toContain(token.slice(5, 20))
  })

  test('Ctrl-C ends a wait, and bytes are not poured into a terminal', async () => {
    const { code, stdout } = await newPerson().terminal(['connect', demo.url, '--no-browser'], {
      keys: [{ after: /oauth\/authorize/, type: '\u0003' }],
    })
    expect(code).toBe(130)
    expect(stdout).not.toContain('did not answer')
    const blob = await me.terminal(['read', 'blob', 'blob_1'])
    expect([blob.code, plain(blob.stdout)]).toEqual([2, expect.stringContaining('--output')])
  })

  test('text of other people cannot move the cursor', async () => {
    const evil = 'Hello \u001b[2J\u001b]0;owned\u0007 \u202egnp.exe'
    await demo.owner('PATCH', '/v1/owner/connections/notes', { display_name: evil })
    const reader = newPerson()
    await demo.connect(reader, ['notes'])
    for (const args of [['read', 'streams'], ['read', 'schema'], ['status'], ['read', 'search', 'bread']]) {
      const { stdout } = await reader.terminal(args, { env: { NO_COLOR: '1' } })
      expect(stdout).not.toContain(ESC)
      for (const hidden of ['\u0007', '\u202e']) expect(stdout).not.toContain(hidden)
    }
  })
})

test('pdpp alone shows the five commands that a newcomer needs, at once', async () => {
  const { code, stdout, stderr } = await me.run([])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.match(/^ {2}pdpp /gm)).toHaveLength(5)
  for (const first of ['serve', 'import', 'setup', 'owner login', 'doctor']) expect(stdout).toContain(`pdpp ${first}`)
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is said, and is no success', () => {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const command = `"${process.execPath}" "${main}" --help > /dev/full`
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/standard output \(ENOSPC\)[\s\S]*disk full/)])
})

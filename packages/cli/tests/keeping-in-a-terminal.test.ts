import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyDemo } from '../../../tests/fixtures/demo-data.ts'
import { newPerson, terminalAvailable } from './command.ts'

const PASSPHRASE = 'correct horse battery staple'

it.skipIf(!terminalAvailable)(
  'asks before it erases, and Enter alone is no',
  async () => {
    const person = newPerson()
    await copyDemo(person.env['PDPP_DATA_DIR']!)
    const asked = await person.terminal(['owner', 'erase', '--connection', 'notes'], {
      keys: [{ after: /Erase the connection notes with [\d,]+ record\(s\)\?/, type: '\r' }],
    })
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain('Nothing was erased.')
    const meant = await person.terminal(['owner', 'erase', '--connection', 'notes'], {
      keys: [{ after: /Erase the connection notes/, type: 'y' }],
    })
    expect(meant.code).toBe(0)
    expect(meant.stdout).toContain('Erased the connection notes')
  },
  120_000,
)

it.skipIf(!terminalAvailable)(
  'asks for a passphrase twice, and shows none of it',
  async () => {
    const person = newPerson()
    await person.run(['owner', 'token'])
    const file = join(person.home, 'backup')
    const differing = await person.terminal(['owner', 'backup', file], {
      keys: [
        { after: /Passphrase for the backup: /, type: `${PASSPHRASE}\r` },
        { after: /Repeat it: /, type: 'something else entirely\r' },
      ],
    })
    expect(differing.code).toBe(2)
    expect(existsSync(file)).toBe(false)
    const made = await person.terminal(['owner', 'backup', file], {
      keys: [
        { after: /Passphrase for the backup: /, type: `${PASSPHRASE}\r` },
        { after: /Repeat it: /, type: `${PASSPHRASE}\r` },
      ],
    })
    expect(made.code).toBe(0)
    expect(made.stdout).not.toContain('horse')
    const target = { PDPP_DATA_DIR: join(person.home, 'restored') }
    const restored = await person.terminal(['owner', 'restore', file], {
      keys: [{ after: /Passphrase of the backup: /, type: `${PASSPHRASE}\r` }],
      env: target,
    })
    expect(restored.stdout).toContain('Restored everything to')
    expect(restored.code).toBe(0)
  },
  120_000,
)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { newPerson } from '../../packages/cli/tests/command.ts'
import { newDatabase, whyNoPostgres } from '../fixtures/postgres-server.ts'

test.skipIf(whyNoPostgres() !== undefined)(
  'an export of PostgreSQL moves to a data folder; for backups the owner learns what to use',
  async () => {
    const person = newPerson()
    const { url, release } = await newDatabase()
    onTestFinished(release)
    const env = { PDPP_DATABASE_URL: url }
    const file = join(person.home, 'everything.tar.gz')
    // Nothing was stored yet.
    const early = await person.run(['owner', 'export', file], { env })
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining('There is no data in the database.')])
    const server = await person.start(['serve', '--demo', '--port', '0'], env)
    await server.printed(/Stored in +PostgreSQL/)
    const exported = await person.run(['owner', 'export', file, '--json'], { env })
    expect(exported.code).toBe(0)
    const { records } = JSON.parse(exported.stdout)
    expect(records).toBeGreaterThan(1000)
    expect(gunzipSync(readFileSync(file)).includes('records/')).toBe(true)
    for (const command of ['backup', 'restore']) {
      const refused = await person.run(['owner', command, file], { env, input: 'a long passphrase\n' })
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Use `pg_dump` and `pg_restore`')])
    }
    server.child.kill('SIGTERM')
    await server.exited
    const imported = await person.run(['owner', 'import', file], { env: { PDPP_DATA_DIR: join(person.home, 'moved') } })
    expect(imported.code).toBe(0)
    expect(imported.stdout).toContain(records.toLocaleString('en'))
  },
  240_000,
)

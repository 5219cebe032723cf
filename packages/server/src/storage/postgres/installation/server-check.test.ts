import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseUrl, testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { StartupError } from '../../../lib/startup-error.ts'
import { MIGRATIONS } from '../engine/migrations/index.ts'
import { openPostgresStorage } from '../storage.ts'

const reason = whyNoPostgres()

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function refusal(url: string): Promise<string> {
  const error = await openPostgresStorage({ url }).then(
    (storage) => storage.close(),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartupError)
  return (error as Error).message
}

test.skipIf(reason !== undefined)('a database that cannot be used is refused with a sentence', async () => {
  const { url, release } = await testDatabase()
  expect(await refusal('postgresql://nobody@127.0.0.1:1/none')).toMatch(/^Nothing answers at the address/)
  expect(await refusal(databaseUrl(url, 'pdpp_no_such_database'))).toMatch(/^There is no such database/)
  const name = /\/(pdpp_test_\w+)/.exec(url)![1]!
  await run(url, `alter database ${name} set default_transaction_read_only = on`)
  expect(await refusal(url)).toMatch(/read-only/)
  await run(`${url}&options=-c%20default_transaction_read_only%3Doff`, `alter database ${name} reset all`)
  const role = `${name}_guest`
  await run(url, `create role ${role} login`)
  expect(await refusal(url.replace(/\/\/\w+@/, `//${role}@`))).toMatch(/may not (create|write to the) tables/)
  await run(url, `drop role ${role}`)
  await (await openPostgresStorage({ url })).close()
  await run(url, 'update pdpp_format set version = 999')
  expect(await refusal(url)).toMatch(/newer version of pdpp \(data format 999/)
  await run(url, `update pdpp_format set version = ${MIGRATIONS.length}`)
  release()
})

test.skipIf(reason !== undefined)('processes that start together prepare the database once', async () => {
  const { url, release } = await testDatabase()
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStorage({ url, maxConnections: 2 })))
  const secrets = await Promise.all(stores.map((storage) => storage.secret('cursor')))
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
  for (const storage of stores) await storage.close()
  release()
})

// A key that is made from the content of a row tells nothing about fields that a grant hides.
import { createHash } from 'node:crypto'
import { canonicalJson, type SourceDeclaration } from '@pdpp/protocol'
import { expect } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import type { ImportPlan } from '../../importer.ts'
import { memoryInput, planOf, readAllItems } from '../../reading/memory-input.fixture.ts'
import { MemoryDestination } from '../../run/memory-destination.fixture.ts'
import { runImport } from '../../run/run-import.ts'
import { EXTENSION } from '../../table/plan/declaration.ts'
import { tabular } from './importer.ts'

const STATEMENT = 'booked,payee,amount\n2026-01-05,Landlord,912.00\n2026-01-09,Clinic,61.25\n'
const statement = () => memoryInput('statement.csv', STATEMENT)
const keysOf = async (plan: ImportPlan) => (await readAllItems(tabular, plan)).records.map(({ key }) => key)
const options = { dryRun: false, signal: new AbortController().signal }
const run = (to: MemoryDestination, plan: ImportPlan) => runImport(to, [{ importer: tabular, plan }], options)

/** The declaration of a source that was imported before there were secrets. */
function withoutSecrets(declaration: SourceDeclaration): SourceDeclaration {
  const { streams, ...kept } = declaration.extensions![EXTENSION] as { streams: Record<string, object> }
  const plain = Object.entries(streams).map(([name, table]) => [name, { ...table, secret: undefined }])
  return { ...declaration, extensions: { [EXTENSION]: { ...kept, streams: Object.fromEntries(plain) } } }
}

verifies('checklist 16', 'nobody can compute the key of a row from its content', async () => {
  const [one, two] = [await planOf(tabular, statement()), await planOf(tabular, statement())]
  const [first, second] = [await keysOf(one), await keysOf(two)]
  expect(new Set([...first, ...second]).size).toBe(4)
  // Clients see the streams of a declaration, and never its extensions.
  const secret = /"secret":"(\w{32})"/.exec(JSON.stringify(one.declaration.extensions))?.[1]
  expect(secret).toBeDefined()
  expect(JSON.stringify(one.declaration.streams)).not.toContain(secret)
})

verifies('checklist 16', 'the same source gives the same content the same key', async () => {
  const first = await planOf(tabular, statement())
  const [again] = await tabular.streams({ format: 'csv', inputs: [statement()] }, {}, [first.declaration])
  expect(again!.match).toBe('same')
  expect(await keysOf(again!)).toEqual(await keysOf(first))
})

verifies('checklist 16', 'a source from before keys had a secret keeps its keys', async () => {
  const old = withoutSecrets((await planOf(tabular, statement())).declaration)
  const [again] = await tabular.streams({ format: 'csv', inputs: [statement()] }, {}, [old])
  const rows = (await readAllItems(tabular, again!)).records
  const plain = rows.map(({ data: { booked, payee, amount } }) => canonicalJson([booked, payee, amount]))
  const hashes = plain.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 32))
  expect(rows.map(({ key }) => key)).toEqual(hashes)
})

verifies('checklist 16', 'two imports that were planned at the same time give the same keys', async () => {
  const to = new MemoryDestination()
  const [one, two] = [await planOf(tabular, statement()), await planOf(tabular, statement())]
  await run(to, one)
  await run(to, two)
  expect([...to.records.values()].map(({ size }) => size)).toEqual([2])
})

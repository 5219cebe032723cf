// Tests that every importer has to pass. The test of an importer calls `importerBattery` with a small export.

import { checkDeclaration, compileRecordSchema, type SourceDeclaration } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../tests/fixtures/repetitions.ts'
import type { ImportedRecord, Importer, ImportInput, ImportItem, ImportOverrides, ImportPlan } from '../importer.ts'
import { headOf } from '../reading/input-head.ts'
import { FileTree } from '../reading/input-tree.ts'
import { memoryInput } from '../reading/memory-input.fixture.ts'
import { ImportRefusal } from '../refusal.ts'
import { type Coverage, CoverageTally } from './coverage.ts'

export interface ImporterFixture {
  readonly importer: Importer
  /** A small export with at least one item of every kind, by path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** Makes an input that needs a real file, such as a database. */
  readonly inputOf?: ((name: string, content: string | Uint8Array, pieceBytes: number) => ImportInput) | undefined
  readonly overrides?: ImportOverrides | undefined
  /** Expected number of records of each stream. */
  readonly records: Readonly<Record<string, number>>
  /** Expected number of items that the reader sees, by kind. Streams that are made of other items are not included. */
  readonly seen: Readonly<Record<string, number>>
  /** Kind, reason and count of all items that are left out. */
  readonly leftOut?: readonly (readonly [kind: string, reason: string, count: number])[] | undefined
  /** Expected number of problems. */
  readonly problems?: number | undefined
  /** The file that the tests cut and damage; the first file if undefined. */
  readonly damaged?: string | undefined
  /**
   * True if a cut in the middle of an item cannot be noticed, because the format marks no end of an item. An example is
   * lines of text.
   */
  readonly isOpenEnded?: boolean | undefined
  /** Number of runs with damaged bytes. */
  readonly fuzzRuns?: number | undefined
}

/** Number of runs in which each file of an export is cut and damaged. */
const RUNS_PER_FILE = repetitions(6, 24)

export interface ReadResult {
  readonly plans: readonly ImportPlan[]
  readonly records: readonly ImportedRecord[]
  readonly items: readonly ImportItem[]
  readonly coverage: Coverage
  readonly problems: number
}

/** Reads files as an import does, without a server. Files that the importer does not claim give no records. */
export async function readExport(
  importer: Importer,
  inputs: readonly ImportInput[],
  overrides: ImportOverrides = {},
  known: readonly SourceDeclaration[] = [],
): Promise<ReadResult> {
  const tree = new FileTree(inputs)
  const groups = new Map<string, { format: string; inputs: Set<ImportInput> }>()
  const taken = new Set<ImportInput>()
  for (const input of inputs) {
    const claim = taken.has(input)
      ? undefined
      : await importer.detect({ input, head: await headOf(input), files: tree })
    if (!claim) continue
    const key = claim.group ?? input.name
    const group = groups.get(key) ?? { format: claim.format, inputs: new Set() }
    groups.set(key, group)
    for (const each of claim.inputs) {
      taken.add(each)
      group.inputs.add(each)
    }
  }
  const tally = new CoverageTally()
  const plans: ImportPlan[] = []
  const items: ImportItem[] = []
  for (const group of groups.values()) {
    const claim = { format: group.format, inputs: [...group.inputs] }
    for (const plan of await importer.streams(claim, overrides, known)) {
      plans.push(plan)
      // A plan is stored between inspection and import, so the test serialises and parses it.
      const stored: ImportPlan = {
        ...JSON.parse(JSON.stringify(plan)),
        inputs: plan.inputs.map((each) => tally.watched(each)),
      }
      for await (const item of importer.read(stored, tally)) {
        items.push(item)
        if ('record' in item) {
          tally.imported(item.record.stream)
          for (const blob of item.record.blobs ?? []) for await (const _ of blob.open());
        } else if (!item.problem.kept && item.problem.kind !== undefined) tally.lost(item.problem.kind)
      }
    }
  }
  const records = items.flatMap((item) => ('record' in item ? [item.record] : []))
  return { plans, records, items, coverage: tally.result(true), problems: items.length - records.length }
}

/** Registers the tests. */
export function importerBattery(fixture: ImporterFixture): void {
  const { importer, overrides = {} } = fixture
  const make = fixture.inputOf ?? memoryInput
  const inputsOf = (files: ImporterFixture['files'], pieceBytes = 1024) =>
    Object.entries(files).map(([name, content]) => make(name, content, pieceBytes))
  const whole = (pieceBytes?: number, known: readonly SourceDeclaration[] = []) =>
    readExport(importer, inputsOf(fixture.files, pieceBytes), overrides, known)

  describe(`the importer ${importer.id}`, () => {
    it('imports one thing of every kind, and says what it leaves out', async () => {
      const { records, coverage, problems, plans } = await whole()
      for (const { declaration } of plans) expect(checkDeclaration(declaration)).not.toHaveProperty('problems')
      expect(invalid(plans, records)).toEqual([])
      expect(counted(records)).toEqual(fixture.records)
      expect(Object.fromEntries(coverage.kinds.map(({ kind, seen }) => [kind, seen]))).toEqual(fixture.seen)
      expect(coverage.leftOut.map(({ kind, reason, count }) => [kind, reason, count]).toSorted()).toEqual(
        (fixture.leftOut ?? []).map((each) => [...each]).toSorted(),
      )
      expect([coverage.unexplained, problems]).toEqual([0, fixture.problems ?? 0])
    })

    it('gives the same records in pieces of any size and files of any order', async () => {
      const { records, plans } = await whole()
      const expected = plainly(records)
      // A new source has its own secret, so only the same source gives the same keys.
      const known = importer.settle ? plans.slice(-1).map(({ declaration }) => declaration) : []
      expect(plainly((await whole(1, known)).records)).toEqual(expected)
      const reversed = inputsOf(fixture.files).toReversed()
      expect(plainly((await readExport(importer, reversed, overrides, known)).records)).toEqual(expected)
    })

    it('gives the same plan when the source is known', async () => {
      const first = await whole()
      const known = [...new Map(first.plans.map(({ declaration: each }) => [each.connector_key, each])).values()]
      const again = await readExport(importer, inputsOf(fixture.files), overrides, known)
      expect(again.plans.map(({ match }) => match)).toEqual(first.plans.map(() => 'same'))
      expect(plainly(again.records)).toEqual(plainly(first.records))
      expect(again.plans.map(({ connection }) => connection?.id)).toEqual(
        first.plans.map(({ connection }) => connection?.id),
      )
    })

    it('stands a file that ends too early', { timeout: 120_000 }, async () => {
      const name = fixture.damaged ?? Object.keys(fixture.files)[0]!
      const bytes = Buffer.from(fixture.files[name]!)
      const expected = new Set(plainly((await whole()).records))
      const step = Math.max(1, Math.floor(bytes.length / repetitions(75, 300)))
      for (let end = 0; end < bytes.length; end += step) {
        const { records, plans } = await damaged(fixture, { [name]: bytes.subarray(0, end) })
        expect([end, invalid(plans, records)]).toEqual([end, []])
        if (!fixture.isOpenEnded) expect([end, halves(records, expected)]).toEqual([end, []])
      }
    })

    it('stands damaged bytes', { timeout: 120_000 }, async () => {
      const name = fixture.damaged ?? Object.keys(fixture.files)[0]!
      const bytes = Buffer.from(fixture.files[name]!)
      const next = randomNumbers()
      for (let run = 0; run < Math.min(fixture.fuzzRuns ?? 200, repetitions(50, 200)); run++) {
        const { records, plans } = await damaged(fixture, { [name]: spoilt(bytes, next) })
        expect([run, invalid(plans, records)]).toEqual([run, []])
      }
    })

    it('stands cuts and damage in each of its files', { timeout: 120_000 }, async () => {
      const next = randomNumbers()
      for (const [name, content] of Object.entries(fixture.files)) {
        const bytes = Buffer.from(content)
        const cuts = Array.from({ length: RUNS_PER_FILE }, (_, at) =>
          bytes.subarray(0, Math.floor((bytes.length * at) / RUNS_PER_FILE)),
        )
        const spoiltOnes = Array.from({ length: RUNS_PER_FILE }, () => spoilt(bytes, next))
        for (const [run, copy] of [...cuts, ...spoiltOnes].entries()) {
          const { records, plans } = await damaged(fixture, { [name]: copy })
          expect([name, run, invalid(plans, records)]).toEqual([name, run, []])
        }
      }
    })
  })

  /** A refusal is a valid answer; any other error fails the test. */
  async function damaged(of: ImporterFixture, files: Record<string, Uint8Array>): Promise<ReadResult> {
    try {
      return await readExport(importer, inputsOf({ ...of.files, ...files }), overrides)
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error
      return { plans: [], records: [], items: [], coverage: new CoverageTally().result(true), problems: 1 }
    }
  }
}

type Check = Exclude<ReturnType<typeof compileRecordSchema>, string>
const checksBySchema = new Map<string, Check>()

/**
 * Cached, because compiling a schema costs more than reading a small export, and a damaged export mostly has the same
 * schemas.
 */
function compiled(name: string, schema: Parameters<typeof compileRecordSchema>[0]): Check {
  const text = JSON.stringify(schema)
  const known = checksBySchema.get(text)
  if (known) return known
  const check = compileRecordSchema(schema)
  if (typeof check === 'string') throw new Error(`${name}: ${check}`)
  checksBySchema.set(text, check)
  return check
}

/** The same numbers in every run, so that a failure can be repeated. */
function randomNumbers(): (below: number) => number {
  let seed = 20_261_117
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
}

function spoilt(bytes: Buffer, next: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes)
  for (let times = 1 + next(8); times > 0 && copy.length > 0; times--) copy[next(copy.length)] = next(256)
  return copy
}

/** Records that the server would refuse. */
function invalid(plans: readonly ImportPlan[], records: readonly ImportedRecord[]): unknown[] {
  const streams = new Map(
    plans.flatMap(({ declaration }) => declaration.streams.map((stream) => [stream.name, stream])),
  )
  const checks = new Map([...streams].map(([name, { schema }]) => [name, compiled(name, schema)]))
  return records.flatMap(({ stream, key, data }) => {
    const fault =
      checks.get(stream)?.(JSON.parse(JSON.stringify(data))) ?? (streams.has(stream) ? undefined : 'no stream')
    const isKeyed = streams.get(stream)?.primary_key.every((name) => data[name] !== undefined && data[name] !== null)
    return fault === undefined && isKeyed ? [] : [[stream, key, fault ?? 'lacks its key']]
  })
}

/** Records that are not in the undamaged export. Sums over all messages may differ. */
function halves(records: readonly ImportedRecord[], expected: ReadonlySet<string>): string[] {
  const sums = new Set(['conversations', 'participants'])
  return plainly(records.filter(({ stream }) => !sums.has(stream))).filter((record) => !expected.has(record))
}

const counted = (records: readonly ImportedRecord[]): Record<string, number> =>
  records.reduce<Record<string, number>>((counts, { stream }) => {
    counts[stream] = (counts[stream] ?? 0) + 1
    return counts
  }, {})

const plainly = (records: readonly ImportedRecord[]): string[] =>
  records.map(({ stream, key, data }) => JSON.stringify({ stream, key, data })).toSorted()

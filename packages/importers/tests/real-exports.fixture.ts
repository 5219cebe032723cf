// Imports folders of the collections that PDPP_CORPORA names, as a command would, without a server.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { DatabaseCopies } from '../src/files/database-copy.ts'
import { findFiles } from '../src/files/files.ts'
import type { ImportedRecord, ImportPlan, ImportProblem } from '../src/importer.ts'
import { type Coverage, CoverageTally } from '../src/run/coverage.ts'
import { recognise } from '../src/run/recognise.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
export const folder = join(corpora, 'import')
export const isHere = corpora !== '' && existsSync(folder)

export interface RealImport {
  readonly plans: ImportPlan[]
  readonly records: ImportedRecord[]
  readonly problems: ImportProblem[]
  readonly coverage: Coverage
  of(stream: string): Readonly<Record<string, unknown>>[]
}

/** Everything that the importers find below the paths, by the id of the importer. */
export async function importAll(...paths: string[]): Promise<ReadonlyMap<string, RealImport>> {
  const copies = new DatabaseCopies(tmpdir())
  onTestFinished(() => copies.remove())
  const fail = (name: string, error: unknown) => {
    throw new Error(`${name}: ${(error as Error).message}`)
  }
  const files = await findFiles(
    paths.map((path) => join(folder, path)),
    copies,
    fail,
  )
  const found = await recognise(files, [], fail, new AbortController().signal)
  const results = new Map<string, RealImport>()
  for (const importer of new Set(found.map((each) => each.importer))) {
    if (importer.kind === 'tables') continue
    const tally = new CoverageTally()
    const [plans, records, problems]: [ImportPlan[], ImportedRecord[], ImportProblem[]] = [[], [], []]
    for (const { claim } of found.filter((each) => each.importer === importer))
      for (const plan of await importer.streams(claim, {}, [])) {
        plans.push(plan)
        const inputs = plan.inputs.map((input) => tally.watched(input))
        for await (const item of importer.read({ ...plan, inputs }, tally)) {
          if ('record' in item) {
            records.push(item.record)
            tally.imported(item.record.stream)
          } else {
            problems.push(item.problem)
            if (!item.problem.kept && item.problem.kind !== undefined) tally.lost(item.problem.kind)
          }
        }
      }
    const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
    results.set(importer.id, { plans, records, problems, coverage: tally.result(true), of })
  }
  return results
}

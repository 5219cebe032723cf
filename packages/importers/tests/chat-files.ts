// Reads the chats that others collected, through everything that an import does before it writes.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseCopies, findFiles, type ImportOverrides, recognise } from '@pdpp/importers'
import { CoverageTally } from '../src/run/coverage.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
export const chatFolder = join(corpora, 'import')
/** False if PDPP_CORPORA names no folder with import/ in it. Then these tests are skipped. */
export const hasChats = corpora !== '' && existsSync(chatFolder)

type Row = Readonly<Record<string, any>>

export interface RealChat {
  readonly importer: string
  readonly name: string
  readonly streams: Readonly<Record<string, readonly Row[]>>
  readonly messages: readonly Row[]
  readonly problems: readonly string[]
  readonly unexplained: number
  /** How many items of each kind the reader saw. */
  readonly seen: Readonly<Record<string, number>>
}

/** Imports files or folders of the collection. Every plan comes out by itself. */
export async function readChats(paths: readonly string[], overrides: ImportOverrides = {}): Promise<RealChat[]> {
  const copies = new DatabaseCopies(tmpdir())
  const failed: string[] = []
  const fail = (name: string, error: unknown) => failed.push(`${name}: ${(error as Error).message}`)
  const files = await findFiles(
    paths.map((path) => join(chatFolder, path)),
    copies,
    fail,
  )
  const found = await recognise(files, [], fail, new AbortController().signal)
  const chats: RealChat[] = []
  for (const { importer, claim } of found.filter(({ importer: { kind } }) => kind === 'chats'))
    for (const plan of await importer.streams(claim, overrides, [])) {
      const tally = new CoverageTally()
      const streams: Record<string, Row[]> = {}
      const problems = [...failed]
      for await (const item of importer.read(plan, tally))
        if ('record' in item) {
          tally.imported(item.record.stream)
          streams[item.record.stream] ??= []
          streams[item.record.stream]!.push(item.record.data)
        } else {
          problems.push(item.problem.reason)
          if (!item.problem.kept && item.problem.kind) tally.lost(item.problem.kind)
        }
      chats.push({
        importer: importer.id,
        name: plan.connection?.name ?? plan.declaration.display.name,
        streams,
        messages: streams['messages'] ?? [],
        problems,
        unexplained: tally.result(true).unexplained,
        seen: Object.fromEntries(tally.result(true).kinds.map(({ kind, seen }) => [kind, seen])),
      })
    }
  copies.remove()
  return chats
}

export function countBy(rows: readonly Row[], field: string): Record<string, number> {
  const groups = Map.groupBy(rows, (row) => String(row[field]))
  return Object.fromEntries([...groups].map(([value, own]) => [value, own.length]))
}

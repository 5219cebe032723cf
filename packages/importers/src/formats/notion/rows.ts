import type { ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { decodeText, encodingOf } from '../../reading/text-encoding.ts'
import { DelimitedReader, type DelimitedRecord } from '../table/csv/delimited-text.ts'
import { idInName, titleInName } from './names.ts'
import { pageTimes } from './page.ts'

/** The rows of a database. `pages` maps the folder and title of a page to its id. */
export async function* rowItems(
  input: ImportInput,
  pages: ReadonlyMap<string, string>,
  zone: string | undefined,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const path = treePath(input.name)
  const database = { id: idInName(path) ?? titleInName(path), name: titleInName(path) }
  const folder = `${folderOf(path)}/${database.name} ${database.id}`.replace(/^\//, '')
  const ids = new StableIds()
  let header: readonly string[] | undefined
  let row = 0
  for await (const { cells, tooLong, fault, line } of recordsOf(input)) {
    if (header === undefined) {
      header = cells.map((cell) => cell.trim())
      continue
    }
    if (cells.length === 1 && cells[0] === '') continue
    tally.saw('rows')
    const place = { input: input.name, row: ++row, line }
    if (tooLong) {
      yield { problem: { place, reason: fault ?? 'is too long', kind: 'rows', kept: false } }
      continue
    }
    const named = Object.fromEntries(
      cells.flatMap((cell, at) => (cell === '' ? [] : [[header![at] ?? `Column ${at + 1}`, cell]])),
    )
    const title = cells[0]?.trim() ?? ''
    const id = `${database.id}/${ids.idOf(title)}`
    const { notedAt, createdAt } = pageTimes(title, named, zone)
    const data = {
      id,
      database_id: database.id,
      database: database.name,
      note_id: pages.get(`${folder}/${title}`) ?? null,
      title: title === '' ? null : title,
      text:
        Object.entries(named)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
          .toWellFormed() || null,
      noted_at: notedAt ?? createdAt ?? null,
      cells: named,
    }
    yield { record: { stream: 'rows', key: id, data, place } }
    if (fault !== undefined) yield { problem: { place, reason: fault, kept: true } }
  }
}

async function* recordsOf(input: ImportInput): AsyncIterable<DelimitedRecord> {
  const reader = new DelimitedReader(',')
  for await (const piece of decodeText(input, await encodingOf(input))) yield* reader.add(piece)
  yield* reader.end()
}

import { tmpdir } from 'node:os'
import { DatabaseCopies, type FileInput, findFiles, planAll, recognise, runImport } from '@pdpp/importers'
import type { MemoryDestination } from '../src/run/memory-destination.fixture.ts'

/** Imports as the command does, and returns the number of new and changed records. */
export async function importInto(
  to: MemoryDestination,
  paths: readonly string[],
  order: (files: FileInput[]) => FileInput[] = (files) => files,
) {
  const copies = new DatabaseCopies(tmpdir())
  try {
    const files = order(await findFiles(paths, copies, () => {}))
    const { signal } = new AbortController()
    const found = await recognise(files, [], () => {}, signal)
    const sources = await planAll(
      found,
      await to.sources(),
      () => ({}),
      () => {},
    )
    const sum = { new: 0, changed: 0, unexplained: [] as unknown[] }
    for (const work of sources) {
      const { streams, coverage, source } = await runImport(to, work, { dryRun: false, signal })
      for (const stream of streams) {
        sum.new += stream.new
        sum.changed += stream.changed
      }
      if (coverage.unexplained !== 0) sum.unexplained.push([source, coverage.kinds])
    }
    return sum
  } finally {
    copies.remove()
  }
}

import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '@pdpp/server'
import { jsonCounts, resetJsonCounts } from './count-json.ts'

const ROOT = new URL('../../packages/', import.meta.url)

export interface Journey {
  /** Our source files in which a named function ran in the main thread. Paths are relative to packages/. */
  readonly files: readonly string[]
  readonly parses: number
  readonly serialisations: number
  readonly tokenLookups: number
}

export async function measure({ context }: RunningServer, run: () => Promise<unknown>): Promise<Journey> {
  const session = new Session()
  session.connect()
  const { tokens } = context.storage
  const find = tokens.find.bind(tokens)
  let tokenLookups = 0
  tokens.find = (hash) => {
    tokenLookups++
    return find(hash)
  }
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    resetJsonCounts()
    await run()
    const counts = jsonCounts()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = result
      .filter(({ url }) => url.startsWith(ROOT.href) && !url.includes('node_modules'))
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
      )
      .map(({ url }) => relative(fileURLToPath(ROOT), fileURLToPath(url)).replaceAll('\\', '/'))
    await session.post('Profiler.stopPreciseCoverage')
    return { files: files.toSorted(), ...counts, tokenLookups }
  } finally {
    tokens.find = find
    session.disconnect()
  }
}

/** Returns what several runs of one journey have in common. Throws if their counts differ. */
export function everyTime(name: string, [first, ...others]: readonly Journey[]): Journey {
  if (first === undefined) throw new Error(`${name} was not measured.`)
  for (const other of others)
    for (const count of ['parses', 'serialisations', 'tokenLookups'] as const)
      if (other[count] !== first[count])
        throw new Error(`${name}: ${count} was ${first[count]} in one run and ${other[count]} in another.`)
  return { ...first, files: first.files.filter((file) => others.every(({ files }) => files.includes(file))) }
}

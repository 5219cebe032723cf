// A thread that merges segments of the word index. It only reads; the thread that asked writes the result.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
// Not from database.ts, which would load much more.
import { Handle } from '../../engine/handle.ts'
import type { MergeAnswer, MergeTask } from './merge-thread.ts'
import { mergeListed } from './segment-merger.ts'

const { file } = workerData as { file: string }
const reader = new Handle(new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 }))
reader.db.pragma('cache_size = -8192')

parentPort!.on('message', ({ owner, segments }: MergeTask) => {
  const result = answer(owner, segments)
  parentPort!.postMessage(result, memoryOf(result))
})

/** The memory of a result is handed over, because a copy would take as much again. */
function memoryOf({ merged }: MergeAnswer): ArrayBuffer[] {
  if (!merged?.output) return []
  const { columns, parts } = merged.output
  const all = [columns, ...parts.flatMap(({ terms, postings, places }) => [terms, postings, places])]
  return all.map(({ buffer }) => buffer as ArrayBuffer)
}

function answer(owner: number, segments: readonly number[]): MergeAnswer {
  try {
    return { merged: mergeListed(reader, owner, segments) }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

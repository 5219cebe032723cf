// A thread that merges segments of the word index. It only reads; the thread that asked writes the result.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { Handle } from '../../engine/handle.ts'
import type { MergeAnswer, MergeTask } from './merge-thread.ts'
import { mergeListed } from './segment-merger.ts'

const { file } = workerData as { file: string }
const reader = new Handle(new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 }))
reader.db.pragma('cache_size = -8192')

parentPort!.on('message', ({ owner, segments }: MergeTask) => {
  parentPort!.postMessage(answer(owner, segments))
})

function answer(owner: number, segments: readonly number[]): MergeAnswer {
  try {
    return { merged: mergeListed(reader, owner, segments) }
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

// A thread that merges segments of the word index. It only reads; the thread that asked writes the result.
import { workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { PAGE_KILOBYTES } from '../../../cache-limits.ts'
import { answerMerges } from '../../../words/merge-job.ts'
// Not imported from database.ts, because that would load much more code.
import { Handle } from '../../engine/handle.ts'
import { mergeListed } from './segment-merger.ts'

const { file } = workerData as { file: string }
const reader = new Handle(new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 }))
reader.db.pragma(`cache_size = -${PAGE_KILOBYTES.merging}`)

answerMerges(async ({ owner, segments }) => mergeListed(reader, owner, segments))

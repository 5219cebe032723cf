// A thread that merges segments of the word index. It only reads; the thread that asked writes the result.
import { workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../../lib/threads/thread-priority.ts'
import { answerMerges } from '../../../words/merge-job.ts'
import { Database, type DatabaseOptions } from '../../engine/database.ts'
import { mergeListed } from './segment-merger.ts'

const { options } = workerData as { options: DatabaseOptions }
lowerPriority()
const database = new Database({ ...options, maxConnections: 1 })

answerMerges(({ owner, segments }) => database.snapshot((session) => mergeListed(session, owner, segments)))

import { answerJobs } from '../../lib/threads/job-thread.ts'
import { type MergedSegment, memoryOf } from './encoded-segment.ts'

/** Segments of an owner that are merged into one. */
export interface MergeJob {
  readonly owner: number
  readonly segments: readonly number[]
}

/**
 * Up to this many documents, the writing thread merges itself, because passing the work to another thread would take
 * longer.
 */
export const MAX_INLINE_DOCUMENTS = 1000

/** Runs in the merging thread. */
export function answerMerges(merge: (job: MergeJob) => Promise<MergedSegment | undefined>): void {
  answerJobs(merge, (merged) => memoryOf(merged?.output))
}

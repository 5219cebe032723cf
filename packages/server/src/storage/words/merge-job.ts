import { answerJobs } from '../../lib/threads/job-thread.ts'
import { type MergedSegment, memoryOf } from './encoded-segment.ts'

/** Segments of an owner that become one. */
export interface MergeJob {
  readonly owner: number
  readonly segments: readonly number[]
}

/** Documents that are merged in the thread that writes. Another thread would take longer. */
export const MAX_INLINE_DOCUMENTS = 1000

/** In a thread that merges. */
export function answerMerges(merge: (job: MergeJob) => Promise<MergedSegment | undefined>): void {
  answerJobs(merge, (merged) => memoryOf(merged?.output))
}

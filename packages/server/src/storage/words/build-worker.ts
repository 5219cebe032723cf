// A thread that splits texts into words and builds segments from them. It reads and writes nothing.
import { answerJobs } from '../../lib/threads/job-thread.ts'
import { lowerPriority } from '../../lib/threads/thread-priority.ts'
import type { IndexedDocument } from '../../search/segments/segment.ts'
import { buildSegment } from '../../search/segments/segment-builder.ts'
import { encodeSegment, memoryOf } from './encoded-segment.ts'

lowerPriority()
answerJobs((documents: readonly IndexedDocument[]) => encodeSegment(buildSegment(documents)), memoryOf)

// The thread that writes to the main file.
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../../lib/threads/thread-priority.ts'
import type { WriterStart } from './write-message.ts'
import { WriteServer } from './write-server.ts'

lowerPriority()
new WriteServer(parentPort!, (workerData as WriterStart).directory)

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./purge-worker${extname(import.meta.filename)}`, import.meta.url)

interface PurgeAnswer {
  readonly clean?: boolean
  readonly failure?: string
}

/**
 * Rewrites the file, because SQLite leaves deleted bytes in freed pages, in gaps of split pages and in the log.
 */
export async function purge(file: string): Promise<void> {
  const { clean, failure } = await answerOf(new Worker(WORKER, { workerData: { file } }))
  if (clean) return
  throw new PdppError(
    'server_busy',
    failure === undefined
      ? 'The erased data can no longer be read, but traces remain in the files, because running reads still use the log of the database.'
      : `The erased data can no longer be read, but traces remain in the files, because they could not be rewritten: ${failure}.`,
    { retryAfterSeconds: 30, nextStep: 'Restart the server: it removes the traces before it answers requests.' },
  )
}

function answerOf(worker: Worker): Promise<PurgeAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that rewrites the database ended.')))
  })
}

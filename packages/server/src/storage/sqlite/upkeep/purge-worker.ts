// A thread that rewrites a database without deleted data. Meanwhile reads continue and writes wait.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const WAIT_MS = 60_000
const ATTEMPTS = 100
const RETRY_MS = 100

const { file } = workerData as { file: string }
const db = new Database(file, { fileMustExist: true, timeout: WAIT_MS })
try {
  db.exec('vacuum')
  parentPort!.postMessage({ clean: await emptyLog() })
} catch (error) {
  parentPort!.postMessage({ failure: (error as Error).message })
} finally {
  db.close()
}

/** The log contains old pages. It can be emptied when no read needs them. */
async function emptyLog(): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    if (busy === 0) return true
    await pause(RETRY_MS)
  }
  return false
}

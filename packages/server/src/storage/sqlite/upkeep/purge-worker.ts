// A thread that rewrites a database without what was deleted from it: reads go on meanwhile, writes wait.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const WAIT_MS = 60_000
const LOOKS = 100
const BETWEEN_LOOKS_MS = 100

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

/** The log holds pages as they were. It can be emptied once no read needs them. */
async function emptyLog(): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    if (busy === 0) return true
    await pause(BETWEEN_LOOKS_MS)
  }
  return false
}

// A thread that copies the log of the receipts into their file. It waits for the disk, so that the main thread need not.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const { file } = workerData as { file: string }
const db = new Database(file, { fileMustExist: true })

parentPort!.on('message', () => {
  // Passive: it stops nobody from reading or writing.
  db.pragma('wal_checkpoint(passive)')
  parentPort!.postMessage('done')
})

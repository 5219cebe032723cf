import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { runStorageContract } from '../contract/contract.cases.ts'
import { WriteServer } from './engine/writing/write-server.ts'
import { openSqliteStorage } from './storage.ts'
import { sqliteAdmin } from './storage-admin.ts'

/** Calls and answers cross as between threads, and the other end has its own connections, but no thread is started. */
function connect(directory: string) {
  const { port1, port2 } = new MessageChannel()
  new WriteServer(port2, directory)
  return port1
}

for (const thread of ['auto', 'always'] as const) {
  const name = thread === 'auto' ? 'sqlite' : 'sqlite, written by another thread'
  runStorageContract(name, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pdpp-store-'))
    const storage = openSqliteStorage(directory, { writing: { thread, connect } })
    const { close } = storage
    return Object.assign(storage, {
      admin: sqliteAdmin(directory),
      close: async () => {
        await close()
        rmSync(directory, { recursive: true, force: true })
      },
    })
  })
}

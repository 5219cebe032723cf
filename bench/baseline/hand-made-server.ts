// A minimal hand-written server that returns one record by its key. It uses only `node:http`, checks the hash of the
// token, reads one row, and commits a receipt with a chained hash before it answers. Requests of the product are
// measured as multiples of one of its requests.
import { hash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const [directory, table, token] = process.argv.slice(2) as [string, string, string]
const records = new Database(join(directory, 'pdpp.db'), { readonly: true, fileMustExist: true })
records.pragma('cache_size = -24576')
const find = records.prepare(`select key, emitted_at, data from ${table} where feed = 1 and key = ?`)
const receipts = new Database(join(directory, 'by-hand.db'))
for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL']) receipts.pragma(pragma)
receipts.exec(
  'create table if not exists receipt (sequence integer primary key, at integer, key text, bytes integer, hash blob)',
)
const insert = receipts.prepare('insert into receipt (at, key, bytes, hash) values (?, ?, ?, ?)')

const tokens = new Set([hash('sha256', token, 'base64')])
let last = Buffer.alloc(32)
let waiting: { key: string; body: string; response: ServerResponse }[] = []

const commit = receipts.transaction((batch: typeof waiting) => {
  for (const { key, body } of batch) {
    const at = Date.now()
    last = hash('sha256', `${last.toString('latin1')}|${at}|${key}|${body.length}`, 'buffer') as Buffer<ArrayBuffer>
    insert.run(at, key, body.length, last)
  }
})

function answer(): void {
  const batch = waiting
  waiting = []
  commit.immediate(batch)
  for (const { body, response } of batch)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

const server = createServer((request, response) => {
  const bearer = request.headers.authorization?.slice(7) ?? ''
  if (!tokens.has(hash('sha256', bearer, 'base64'))) {
    response.writeHead(401).end()
    return
  }
  const key = decodeURIComponent(request.url!.slice(request.url!.lastIndexOf('/') + 1))
  const row = find.get(key) as { key: string; emitted_at: number; data: string } | undefined
  if (!row) {
    response.writeHead(404).end()
    return
  }
  const body = `{"object":"record","id":${JSON.stringify(row.key)},"emitted_at":"${new Date(row.emitted_at).toISOString()}","data":${row.data}}`
  if (waiting.push({ key, body, response }) === 1) setImmediate(answer)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
process.on('SIGTERM', () => process.exit(0))

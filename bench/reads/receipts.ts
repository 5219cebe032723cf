// Measures how many bytes a read writes to disk.
import { join } from 'node:path'
import type { RunningServer } from '@pdpp/server'
import { BIG_STREAM } from '../data/source.ts'
import { settledBytes } from '../server/ingest.ts'
import { request } from './reads.ts'

const READS = 1000

export interface ReceiptResult {
  readonly reads: number
  /** Bytes by which receipts.db and pdpp.db grow per read of 25 records. */
  readonly receiptBytes: number
  readonly storeBytes: number
}

/** Reads 1,000 different pages of five connections. */
export async function measureReceipts(
  server: Pick<RunningServer, 'app'>,
  dataDir: string,
  token: string,
): Promise<ReceiptResult> {
  const [receipts, store] = [join(dataDir, 'receipts.db'), join(dataDir, 'pdpp.db')]
  const before = [settledBytes(receipts), settledBytes(store)] as const
  const first = `/v1/streams/${BIG_STREAM}/records`
  let next: string | null = first
  for (let read = 0; read < READS; read++) {
    const answer = JSON.parse(await request(server, next ?? first, token)) as { links: { next: string | null } }
    next = answer.links.next
  }
  return {
    reads: READS,
    receiptBytes: (settledBytes(receipts) - before[0]) / READS,
    storeBytes: (settledBytes(store) - before[1]) / READS,
  }
}

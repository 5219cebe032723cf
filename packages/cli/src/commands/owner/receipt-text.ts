export interface Receipt {
  receipt_id: string
  at: string
  client_id: string | null
  grant_id: string | null
  surface: string
  operation: string
  connector_key: string | null
  stream: string | null
  record_count: number
  records_erased: number
  /** The other streams of the same read. */
  also?: readonly Pick<Receipt, 'stream' | 'record_count' | 'records_erased'>[]
  outcome: string
}

export const HEADINGS = ['WHEN', 'WHO', 'SURFACE', 'OPERATION', 'STREAM', 'RECORDS', 'OUTCOME']

export function receiptRow(receipt: Receipt, who: string): string[] {
  const lines = [receipt, ...(receipt.also ?? [])]
  const count = lines.reduce((sum, line) => sum + line.record_count, 0)
  const erased = lines.reduce((sum, line) => sum + line.records_erased, 0)
  return [
    receipt.at,
    who,
    receipt.surface,
    receipt.operation,
    lines.flatMap(({ stream }) => stream ?? []).join(', ') || '-',
    erased === 0 ? String(count) : `${count} (${erased} erased)`,
    receipt.outcome,
  ]
}

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
  outcome: string
}

export const HEADINGS = ['WHEN', 'WHO', 'SURFACE', 'OPERATION', 'STREAM', 'RECORDS', 'OUTCOME']

export function receiptRow(receipt: Receipt, who: string): string[] {
  const { record_count: count, records_erased: erased } = receipt
  return [
    receipt.at,
    who,
    receipt.surface,
    receipt.operation,
    receipt.stream ?? '-',
    erased === 0 ? String(count) : `${count} (${erased} erased)`,
    receipt.outcome,
  ]
}

import type { StoreFault } from '../../../lib/store-fault.ts'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Serialization failures, deadlocks, and two that created the same row. Doing it again sees what the other one did. */
export const isRepeatable = (error: unknown): boolean => ['40001', '40P01', '23505'].includes(codeOf(error))

/** A statement took longer than it may. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === '57014'

/** A prepared statement is on another connection, or was there before: a pooler shares connections. */
const isPooled = (error: unknown): boolean => ['42P05', '26000'].includes(codeOf(error))

/** The same error, with a way out if it has one. */
export const explained = (error: unknown): unknown =>
  isPooled(error)
    ? new Error('A pooler shares the connections to PostgreSQL. Set PDPP_DATABASE_PREPARE=off.', { cause: error })
    : error

/** The connection is of no use any more. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(08|57P0)/.test(code) || /^E(CONNREFUSED|CONNRESET|PIPE|NOENT)$/.test(code)) return true
  return error instanceof Error && /^(Connection terminated|Client has encountered)/.test(error.message)
}

export function faultOf(error: unknown): StoreFault | undefined {
  const code = codeOf(error)
  if (/^XX00[12]$/.test(code)) return 'damaged'
  return code === '53100' ? 'full' : undefined
}

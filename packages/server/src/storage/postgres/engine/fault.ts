import type { StoreFault } from '../../../lib/store-fault.ts'

/** Another process has taken over the database. */
export class StoreLost extends Error {
  constructor() {
    super('Another pdpp server has taken over this database, because this one had not answered it for a while.')
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/**
 * Transactions that could not be put in an order, or that waited for each other. The database has undone them
 * completely.
 */
const COLLISIONS = ['40001', '40P01']

/**
 * True for serialization failures, deadlocks, and two transactions that created the same row. If the work is repeated,
 * it sees what the other transaction did.
 */
export const isRepeatable = (error: unknown): boolean => [...COLLISIONS, '23505'].includes(codeOf(error))

/** True if a statement exceeded its time limit. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === '57014'

/** True if a statement was refused only because an earlier one of its transaction had failed. */
export const isRefused = (error: unknown): boolean => codeOf(error) === '25P02'

/** True if a prepared statement is missing or already exists, because a pooler shares connections. */
export const isPooled = (error: unknown): boolean => ['42P05', '26000'].includes(codeOf(error))

export const POOLED =
  'A pooler shares the connections to PostgreSQL and keeps no prepared statements. Set PDPP_DATABASE_PREPARE=off.'

/** Returns the same error, or one that tells what to do if that is known. */
export const explained = (error: unknown): unknown => (isPooled(error) ? new Error(POOLED, { cause: error }) : error)

/** True if the connection can no longer be used. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(08|57P0)/.test(code) || /^E(CONNREFUSED|CONNRESET|PIPE|NOENT)$/.test(code)) return true
  return error instanceof Error && WITHOUT_CODE.test(error.message)
}

/** True if an established connection broke, so that nobody knows whether its statement was executed. */
export const isCutOff = (error: unknown): boolean =>
  isConnectionLost(error) &&
  !/^(57P03|E(CONNREFUSED|NOENT))$/.test(codeOf(error)) &&
  !(error as Error).message.startsWith('timeout exceeded')

/** Errors of `pg` without a code: a connection broke, or none could be made. */
const WITHOUT_CODE = /^(Connection terminated|Client has encountered|timeout exceeded when trying to connect)/
/** Too many connections, out of memory, read-only after a change of the primary, and a name that does not resolve. */
const FOR_NOW = [...COLLISIONS, '53300', '53200', '25006', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']
/** Broken pages, and tables or columns that are missing. */
const DAMAGE = ['XX001', 'XX002', '42P01', '42703']

export function faultOf(error: unknown): StoreFault | undefined {
  const code = codeOf(error)
  if (DAMAGE.includes(code)) return 'damaged'
  if (code === '53100') return 'full'
  if (error instanceof StoreLost || isConnectionLost(error) || FOR_NOW.includes(code)) return 'unavailable'
  return
}

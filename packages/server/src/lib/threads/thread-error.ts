import type { ErrorCode } from '@pdpp/protocol'
import { PdppError } from '@pdpp/protocol/reading'

/** The form in which an error is sent from one thread to another. */
export interface ThreadError {
  readonly message: string
  /** The code of an error of our table, with its detail. */
  readonly refused?: { readonly code: ErrorCode; readonly detail: object }
  /** The code of SQLite or the file system. */
  readonly code?: string
  /** For the log, never for a client. */
  readonly stack?: string
}

export function packError(error: unknown): ThreadError {
  if (error instanceof PdppError)
    return { message: error.message, refused: { code: error.code, detail: { ...error.detail } } }
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  }
}

export function unpackError({ message, refused, code, stack }: ThreadError): Error {
  if (refused) return new PdppError(refused.code, message, refused.detail)
  const error = Object.assign(new Error(message), code === undefined ? {} : { code })
  if (stack !== undefined) error.stack = stack
  return error
}

import pg from 'pg'
import { binaryList, type ListType } from './binary-list.ts'
import { pgText, plainText } from './pg-text.ts'

/** The value that is sent. `list` is the type of its elements if it is a list of a known type. */
export function toParameter(value: unknown, list?: ListType): unknown {
  if (typeof value === 'string') return pgText(value)
  if (Array.isArray(value)) return (list && binaryList(list, value)) ?? value.map((one) => toParameter(one))
  if (value instanceof Uint8Array && !Buffer.isBuffer(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value
}

const MAX_INTEGER = 2n ** 63n

/** A whole number of up to 64 bits keeps every digit, as in SQLite. Anything else is a double. */
function numeric(text: string): number | bigint {
  const value = Number(text)
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value
  const whole = BigInt(text)
  return whole >= -MAX_INTEGER && whole < MAX_INTEGER ? whole : value
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, numeric],
  [pg.types.builtins.TEXT, plainText],
  [pg.types.builtins.VARCHAR, plainText],
])

export const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid as never, format as never),
} as unknown as pg.CustomTypesConfig

import { pgText } from './pg-text.ts'

/** The element types of lists that are sent in binary form, with their numbers in PostgreSQL. */
const TYPES = { bigint: 20, smallint: 21, text: 25, bytea: 17 } as const

/** Lists of other types are sent as text. */
export type ListType = keyof typeof TYPES

/** Bytes before the first element, and before each element. */
const [HEAD_BYTES, LENGTH_BYTES] = [20, 4]
const IS_NULL = -1
const TWO_32 = 2 ** 32

interface Encoder {
  readonly isValid: (value: unknown) => boolean
  readonly size: (value: never) => number
  readonly write: (bytes: Buffer, value: never, at: number) => void
}

const ENCODERS: Readonly<Record<ListType, Encoder>> = {
  bigint: {
    isValid: (value) => (typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)),
    size: () => 8,
    write: writeBigint,
  },
  smallint: {
    isValid: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 15,
    size: () => 2,
    write: (bytes: Buffer, value: number, at: number) => bytes.writeInt16BE(value, at),
  },
  text: {
    isValid: (value) => typeof value === 'string',
    size: (value: string) => Buffer.byteLength(value),
    write: (bytes: Buffer, value: string, at: number) => bytes.write(value, at),
  },
  bytea: {
    isValid: (value) => value instanceof Uint8Array,
    size: (value: Uint8Array) => value.length,
    write: (bytes: Buffer, value: Uint8Array, at: number) => bytes.set(value, at),
  },
}

/**
 * A list in PostgreSQL's binary form. Neither side has to quote and parse it, which for long lists takes longer than
 * everything else. Undefined if a value does not fit the type: then it is sent as text, and PostgreSQL says what is
 * wrong.
 */
export function binaryList(type: ListType, list: readonly unknown[]): Buffer | undefined {
  const { isValid, size, write } = ENCODERS[type]
  const values = type === 'text' ? list.map((value) => (typeof value === 'string' ? pgText(value) : value)) : list
  const sizes: number[] = []
  let [total, hasNull] = [HEAD_BYTES, 0]
  for (const value of values) {
    const isNull = value === null || value === undefined
    if (!isNull && !isValid(value)) return
    if (isNull) hasNull = 1
    const bytes = isNull ? IS_NULL : size(value as never)
    sizes.push(bytes)
    total += LENGTH_BYTES + Math.max(0, bytes)
  }
  const encoded = Buffer.allocUnsafe(values.length === 0 ? HEAD_BYTES - 8 : total)
  encoded.writeInt32BE(values.length === 0 ? 0 : 1, 0)
  encoded.writeInt32BE(hasNull, 4)
  encoded.writeInt32BE(TYPES[type], 8)
  // An empty list has no dimension, so nothing follows.
  if (values.length === 0) return encoded
  encoded.writeInt32BE(values.length, 12)
  // PostgreSQL counts the elements from one.
  encoded.writeInt32BE(1, 16)
  let at = HEAD_BYTES
  for (const [index, bytes] of sizes.entries()) {
    at = encoded.writeInt32BE(bytes, at)
    if (bytes <= 0) continue
    write(encoded, values[index] as never, at)
    at += bytes
  }
  return encoded
}

function writeBigint(bytes: Buffer, value: number | bigint, at: number): void {
  if (typeof value === 'bigint') {
    bytes.writeBigInt64BE(value, at)
    return
  }
  bytes.writeInt32BE(Math.floor(value / TWO_32), at)
  bytes.writeUInt32BE(value >>> 0, at + 4)
}

/** Max. fields of one message. */
const MAX_FIELDS = 1_000_000

type Field = { readonly number: bigint } | { readonly bytes: Buffer }

/** A Protocol Buffers message whose fields are only known by number. */
export interface WireMessage {
  number(field: number): number | undefined
  text(field: number): string | undefined
  message(field: number): WireMessage | undefined
  messages(field: number): WireMessage[]
}

/** Parses a message. Throws if the bytes are not a message. */
export function messageOf(bytes: Buffer): WireMessage {
  const fields = fieldsOf(bytes)
  const first = (field: number) => fields.get(field)?.[0]
  const bytesOf = (field: Field | undefined) => (field && 'bytes' in field ? field.bytes : undefined)
  return {
    number: (field) => {
      const found = first(field)
      return found && 'number' in found ? Number(found.number) : undefined
    },
    text: (field) => bytesOf(first(field))?.toString('utf8'),
    message: (field) => {
      const found = bytesOf(first(field))
      return found && messageOf(found)
    },
    messages: (field) => (fields.get(field) ?? []).flatMap((each) => ('bytes' in each ? [messageOf(each.bytes)] : [])),
  }
}

function fieldsOf(bytes: Buffer): Map<number, Field[]> {
  const fields = new Map<number, Field[]>()
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at)
    const [number, kind] = [Number(tag.value >> 3n), Number(tag.value & 7n)]
    const { field, end } = fieldAt(bytes, tag.end, kind)
    if (++count > MAX_FIELDS || end > bytes.length) throw new Error('the note is longer than its data')
    const before = fields.get(number)
    if (field && before) before.push(field)
    else if (field) fields.set(number, [field])
    at = end
  }
  return fields
}

function fieldAt(bytes: Buffer, at: number, kind: number): { field?: Field; end: number } {
  if (kind === 1) return { end: at + 8 }
  if (kind === 5) return { end: at + 4 }
  const { value, end } = varint(bytes, at)
  if (kind === 0) return { field: { number: value }, end }
  if (kind !== 2) throw new Error('the note has data of an unknown kind')
  const stop = end + Number(value)
  return { field: { bytes: bytes.subarray(end, stop) }, end: stop }
}

function varint(bytes: Buffer, from: number): { value: bigint; end: number } {
  let value = 0n
  for (let at = from, shift = 0n; at < bytes.length && shift < 70n; at++, shift += 7n) {
    value |= BigInt(bytes[at]! & 0x7f) << shift
    if (bytes[at]! < 0x80) return { value, end: at + 1 }
  }
  throw new Error('the note ends in the middle of a number')
}

const NEWLINE = 10

/** Lines of a stream of bytes, without their ends. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Buffer[] = []
  for await (const piece of source) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...held, bytes.subarray(from, at)]).toString('utf8')
      held = []
      from = at + 1
    }
    if (from < bytes.length) held.push(bytes.subarray(from))
  }
  if (held.length > 0) yield Buffer.concat(held).toString('utf8')
}

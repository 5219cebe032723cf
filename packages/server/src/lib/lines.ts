/** The bytes of a line without its newline, or the length of a line that is too long. */
export type Line = { readonly bytes: Buffer } | { readonly tooLong: number }

/**
 * Splits a stream into lines and holds at most one line and one chunk in memory. Yields the lines that end in a chunk
 * together, because waiting for each line would cost more than splitting it. Use them before the next ones are read. A
 * line over the limit is skipped and reported with its length, so that the lines after it are still read. The last line
 * needs no newline.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Line[]> {
  let held: Buffer[] = []
  let size = 0
  const finish = (): Line => {
    const line: Line =
      size > maxBytes ? { tooLong: size } : { bytes: held.length === 1 ? held[0]! : Buffer.concat(held) }
    held = []
    size = 0
    return line
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      size += end - start
      if (size <= maxBytes) held.push(bytes.subarray(start, end))
      else held = []
      lines.push(finish())
      start = end + 1
    }
    if (lines.length > 0) yield lines
    if (start === bytes.length) continue
    size += bytes.length - start
    // The producer may reuse a chunk's buffer, so bytes that are kept across chunks are copied.
    if (size <= maxBytes) held.push(Buffer.from(bytes.subarray(start)))
    else held = []
  }
  if (size > 0) yield [finish()]
}

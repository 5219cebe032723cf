import type { ImportInput, ImportItem } from '../importer.ts'

/** Reads the first bytes of an input and stops. */
export async function readHead(input: ImportInput, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input.open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** Reads the whole input, or returns its size if that exceeds the limit. */
export async function readAll(input: ImportInput, limit: number): Promise<{ bytes: Buffer } | { tooLarge: number }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input.open()) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  return size > limit ? { tooLarge: size } : { bytes: Buffer.concat(chunks) }
}

/** Turns a failed read into a problem, so that the inputs after it are still read. */
export async function* failuresAsProblems(
  items: AsyncIterable<ImportItem>,
  input: ImportInput,
): AsyncIterable<ImportItem> {
  try {
    yield* items
  } catch (error) {
    const reason = `cannot be read to its end: ${(error as Error).message.slice(0, 200)}`
    yield { problem: { place: { input: input.name }, reason, kept: false } }
  }
}

/** The last part of a path without extensions: `2024/Orders.csv.gz` becomes `Orders`. */
export function stem(name: string): string {
  const last = name.split('/').findLast((part) => part !== '') ?? name
  return last.replace(/(?<=.)(\.gz)$/i, '').replace(/(?<=.)\.[A-Za-z0-9]{1,8}$/, '')
}

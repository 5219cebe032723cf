import type { DatabaseCopies } from './database-copy.ts'
import { FileError, type FileInput, once, unreadable } from './files.ts'
import { gunzipped } from './gunzip.ts'

/** A file in an archive that is compressed with gzip itself. It is read as the file that it holds. */
export function unpackedInput(packed: FileInput, copies: DatabaseCopies): FileInput {
  const input: FileInput = {
    ...packed,
    size: undefined,
    get bytesRead() {
      return packed.bytesRead
    },
    set bytesRead(count) {
      packed.bytesRead = count
    },
    open: () => unpacked(input, packed),
    databasePath: once(() => copies.unpacked(input.open())),
  }
  return input
}

async function* unpacked({ name }: FileInput, packed: FileInput): AsyncIterable<Uint8Array> {
  try {
    yield* gunzipped(packed.open(), packed.size ?? packed.fileSize)
  } catch (error) {
    throw error instanceof FileError ? error : unreadable(name, error)
  }
}

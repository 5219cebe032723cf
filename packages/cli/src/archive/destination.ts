import { statSync } from 'node:fs'
import { Writable } from 'node:stream'
import { UsageError } from '../terminal/failure.ts'
import { writeNewFile } from './new-file.ts'

const STANDARD_OUTPUT = '-'

export const isStandardOutput = (file: string): boolean => file === STANDARD_OUTPUT

/** Writes an archive into a new file, or to standard output for "-". Returns its size in bytes. */
export async function writeArchive(file: string, write: (to: Writable) => Promise<void>): Promise<number> {
  if (!isStandardOutput(file)) {
    await writeNewFile(file, write)
    return statSync(file).size
  }
  if (process.stdout.isTTY)
    throw new UsageError("A terminal can't show an archive.", 'Name a file, or redirect standard output.')
  let bytes = 0
  await write(
    new Writable({
      // Call `done` only after the reader took the chunk, so that a slow reader slows down the producer.
      write: (chunk: Uint8Array, _encoding, done) => {
        bytes += chunk.length
        process.stdout.write(chunk, done)
      },
    }),
  )
  return bytes
}

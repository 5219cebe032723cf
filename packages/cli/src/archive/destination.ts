import { statSync } from 'node:fs'
import { Writable } from 'node:stream'
import { UsageError } from '../terminal/failure.ts'
import { writeNewFile } from './new-file.ts'

const STANDARD_OUTPUT = '-'

export const isStandardOutput = (file: string): boolean => file === STANDARD_OUTPUT

/** Into a new file, or to standard output for whoever reads it there. Tells how many bytes it were. */
export async function writeArchive(file: string, write: (to: Writable) => Promise<void>): Promise<number> {
  if (!isStandardOutput(file)) {
    await writeNewFile(file, write)
    return statSync(file).size
  }
  if (process.stdout.isTTY)
    throw new UsageError('An archive is nothing for a terminal.', 'Name a file, or lead standard output into one.')
  let bytes = 0
  await write(
    new Writable({
      // Done when it was taken, so that a slow reader slows the rest down.
      write: (chunk: Uint8Array, _encoding, done) => {
        bytes += chunk.length
        process.stdout.write(chunk, done)
      },
    }),
  )
  return bytes
}

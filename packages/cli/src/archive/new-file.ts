import { closeSync, createWriteStream, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'

const INTERRUPTED = 130

/**
 * Writes a file under a temporary name and renames it when it is complete, so that no partial file is left behind.
 * Never overwrites an existing file.
 */
export async function writeNewFile(file: string, write: (to: Writable) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw alreadyThere(file)
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
  const remove = () => rmSync(part, { force: true })
  process.once('exit', remove)
  try {
    const descriptor = openPart(part, file)
    const to = createWriteStream('', { fd: descriptor, autoClose: false })
    try {
      await write(to)
      fsyncSync(descriptor)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(file) : error
    } finally {
      close(descriptor)
    }
    putInPlace(part, file)
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/** Makes Ctrl-C run the `exit` listeners, which remove temporary files. Without this, Node would exit at once. */
export async function tidyWhenInterrupted<T>(work: () => Promise<T>): Promise<T> {
  const end = () => process.exit(INTERRUPTED)
  process.once('SIGINT', end).once('SIGTERM', end)
  try {
    return await work()
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

function openPart(part: string, file: string): number {
  try {
    return openSync(part, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EACCES' ? EXIT.notPermitted : code === 'ENOENT' ? EXIT.notFound : EXIT.other,
      `Can't write ${file} (${code}).`,
      'Choose an existing folder that you can write to.',
    )
  }
}

/** A failed stream has closed the descriptor already. Ignore that, because the caller reports why the stream failed. */
function close(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error
  }
}

const noRoom = (file: string): CommandFailure =>
  new CommandFailure(
    EXIT.other,
    `Can't write ${file}: the disk is full. The partial file was removed.`,
    'Make room, or choose a folder on another disk.',
  )

function putInPlace(part: string, file: string): void {
  try {
    // Unlike a rename, a link fails if somebody created the file in the meantime.
    linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file)) throw alreadyThere(file)
    renameSync(part, file)
  }
}

const alreadyThere = (file: string): UsageError =>
  new UsageError(`${file} already exists. It was not overwritten.`, 'Choose another name, or remove the file first.')

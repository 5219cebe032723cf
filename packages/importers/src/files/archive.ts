import type { Stats } from 'node:fs'
import { basename } from 'node:path'
import { treePath } from '../reading/input-tree.ts'
import type { DatabaseCopies } from './database-copy.ts'
import { FileError, type FileInput, unreadable } from './files.ts'
import { unpackedInput } from './gzip-entry.ts'

/** Max. levels of archives inside archives. */
const MAX_DEPTH = 3
const MAX_ENTRIES = 1_000_000

/** A zip or a tar, which may be inside another archive. */
export interface Archive {
  readonly file: string
  /** The name as the owner knows it, for messages. `file` may be a path of our own. */
  readonly name: string
  readonly stats: Stats
  readonly copies: DatabaseCopies
  readonly skip: (name: string, reason: string) => void
  readonly depth: number
}

/** Receives the entries of one archive. */
export interface EntryList {
  add(input: FileInput): Promise<void>
}

const ENDING = /\.(?:zip|tar|tar\.gz|tgz)$/i

export const isArchive = (name: string): boolean => ENDING.test(name)

/** The files of an archive and of the archives inside it. They are read inside the archive, without unpacking. */
export async function archivedFiles(archive: Archive): Promise<FileInput[]> {
  const inputs: FileInput[] = []
  const list: EntryList = {
    async add(input) {
      if (!isArchive(input.name)) inputs.push(/\.gz$/i.test(input.name) ? unpackedInput(input, archive.copies) : input)
      // Some services put the zip of an export into another zip.
      else if (archive.depth < MAX_DEPTH) inputs.push(...(await inner(archive, input)))
      else archive.skip(input.name, 'is an archive in an archive in an archive: unpack it and import the folder')
      if (inputs.length > MAX_ENTRIES)
        throw new FileError(
          `${archive.name} has more than ${MAX_ENTRIES} files.`,
          'Unpack it, and import its folders one by one.',
          2,
        )
    },
  }
  try {
    // Most imports have no archive, so the readers are loaded when they are needed.
    if (/\.zip$/i.test(archive.name)) await (await import('./zip-files.ts')).listZip(archive, list)
    else await (await import('./tar-files.ts')).listTar(archive, list)
  } catch (error) {
    throw error instanceof FileError ? error : unreadable(archive.name, error)
  }
  return withoutOwnFolder(archive.name, inputs)
}

/**
 * A zip of the folder `notes` has the name `notes.zip`, and one folder `notes` with all its files. They get the names
 * that they have in the folder, so that importing the folder and later its zip adds nothing. If there are other files
 * beside that folder, the names stay, because two of them could become the same.
 */
function withoutOwnFolder(archive: string, inputs: FileInput[]): FileInput[] {
  const [own] = treePath(`${basename(archive)}/x`).split('/')
  const [first = ''] = inputs[0]?.name.slice(archive.length + 1).split('/') ?? []
  const start = `${archive}/${first}/`
  if (first.normalize('NFC') !== own || !inputs.every(({ name }) => name.startsWith(start))) return inputs
  return inputs.map((input) => Object.assign(input, { name: `${archive}/${input.name.slice(start.length)}` }))
}

const inner = async ({ copies, depth, ...archive }: Archive, input: FileInput): Promise<FileInput[]> =>
  archivedFiles({
    ...archive,
    copies,
    file: await copies.unpacked(input.open()),
    name: input.name,
    depth: depth + 1,
  })

import { createReadStream } from 'node:fs'
import { pipeline as whole } from 'node:stream/promises'
import { extract, type Headers } from 'tar-stream'
import type { Archive, EntryList } from './archive.ts'
import { FileError, type FileInput, LINK, once, unreadable } from './files.ts'
import { gunzipped } from './gunzip.ts'
import { SKIPPED_FILES } from './skipped-files.ts'

const HEADER_BYTES = 512

/** `offset`: the position of the header. The library's types lack this member. */
type Listed = AsyncIterable<NodeJS.ReadableStream & { readonly header: Headers; readonly offset: number }>

/**
 * Lists the files of a tar. A tar has no table of contents, so it is read once from end to end, and each file is later
 * read at its position. A compressed tar is first unpacked into the folder for copies, because positions need bytes
 * without compression.
 */
export async function listTar(archive: Archive, list: EntryList): Promise<void> {
  const isPacked = /gz$/i.test(archive.name)
  const file = isPacked
    ? await archive.copies.unpacked(gunzipped(createReadStream(archive.file), archive.stats.size))
    : archive.file
  const entries = extract()
  // The loop below receives the error.
  const reading = whole(createReadStream(file), entries).catch(() => {})
  for await (const entry of entries as unknown as Listed) {
    const { name: inside, type } = entry.header
    const name = `${archive.name}/${inside.replace(/^(?:\.\/)+/, '')}`
    if (type === 'symlink' || type === 'link') archive.skip(name, LINK)
    else if (type === 'file' || type === 'contiguous-file') {
      refuseOutside(archive.name, inside)
      const range = { start: entry.offset + HEADER_BYTES, size: entry.header.size ?? 0 }
      if (!SKIPPED_FILES.test(inside)) await list.add(tarFile(archive, file, name, range))
    }
    entry.resume()
  }
  await reading
}

/** Names must not lead out of the archive. */
function refuseOutside(archive: string, name: string): void {
  const path = name.replaceAll('\\', '/')
  if (!/^(?:\/|[A-Za-z]:)/.test(path) && !path.split('/').includes('..')) return
  throw new FileError(
    `${archive} cannot be read: its file "${name.slice(0, 100)}" leads out of the archive.`,
    'Unpack it, check its content, and import the folder.',
    1,
  )
}

interface Range {
  readonly start: number
  readonly size: number
}

function tarFile({ copies, stats }: Archive, file: string, name: string, { start, size }: Range): FileInput {
  const input: FileInput = {
    file: `${file}/${name}`,
    name,
    fileSize: size,
    changedAt: stats.mtimeMs,
    bytesRead: 0,
    size,
    async *open() {
      input.bytesRead = 0
      if (size === 0) return
      try {
        for await (const chunk of createReadStream(file, { start, end: start + size - 1 }) as AsyncIterable<Buffer>) {
          input.bytesRead += chunk.length
          yield chunk
        }
      } catch (error) {
        throw unreadable(name, error)
      }
      if (input.bytesRead < size) throw unreadable(name, new Error('the archive ends too early'))
    },
    databasePath: once(() => copies.unpacked(input.open())),
  }
  return input
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import {
  EXPORT_FORMAT,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportedFile,
  type ExportManifest,
} from './export-manifest.ts'
import { readTar, type TarFile } from './tar.ts'

const MAX_MANIFEST_BYTES = 67_108_864

/** Calls `work` for every file of an export, in order. `work` need not read the whole file. */
export async function eachFile(file: string, work: (entry: TarFile) => Promise<void>): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), async (plain) => {
    for await (const entry of readTar(plain)) await work(entry)
    for await (const _rest of plain);
  })
}

/** Throws unless the export contains exactly the files that its manifest lists, unchanged. */
export async function verifyExport(file: string): Promise<void> {
  const found = new Map<string, { bytes: number; sha256: string }>()
  let manifest: ExportManifest | undefined
  try {
    await eachFile(file, async (entry) => {
      if (entry.name === EXPORT_MANIFEST)
        manifest = JSON.parse(await textOf(entry, MAX_MANIFEST_BYTES)) as ExportManifest
      else {
        const hash = createHash('sha256')
        for await (const piece of entry.bytes) hash.update(piece)
        found.set(entry.name, { bytes: entry.size, sha256: hash.digest('hex') })
      }
    })
  } catch (error) {
    throw refused(file, `The file is unreadable: ${(error as Error).message}.`)
  }
  if (manifest?.format !== EXPORT_FORMAT) throw refused(file, 'It is not a pdpp export.')
  if (!Object.values<number>(EXPORT_VERSION).includes(manifest.version))
    throw refused(file, 'A newer version of pdpp made it.')
  const wrong = manifest.files.find(({ name, bytes, sha256 }: ExportedFile) => {
    const actual = found.get(name)
    return actual?.bytes !== bytes || actual.sha256 !== sha256
  })
  if (wrong) throw refused(file, `${wrong.name} is missing or was changed.`)
  if (found.size !== manifest.files.length) throw refused(file, 'It contains files that its manifest does not list.')
}

const refused = (file: string, reason: string): CommandFailure =>
  new CommandFailure(EXIT.usage, `Can't import ${file}. ${reason}`, 'Use a file that `pdpp owner export` wrote.')

export async function textOf({ name, size, bytes }: TarFile, maxBytes: number): Promise<string> {
  if (size > maxBytes) throw new Error(`${name} is too large`)
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

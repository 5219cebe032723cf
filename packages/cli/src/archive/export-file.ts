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

const MANIFEST_BYTES = 67_108_864

/** Every file of an export, one after the other; what of one is not read is passed over. */
export async function eachFile(file: string, work: (entry: TarFile) => Promise<void>): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), async (plain) => {
    for await (const entry of readTar(plain)) await work(entry)
    for await (const _rest of plain);
  })
}

/** Throws unless every file is there as it was written, and no other. */
export async function verifyExport(file: string): Promise<void> {
  const found = new Map<string, { bytes: number; sha256: string }>()
  let manifest: ExportManifest | undefined
  try {
    await eachFile(file, async (entry) => {
      if (entry.name === EXPORT_MANIFEST) manifest = JSON.parse(await textOf(entry, MANIFEST_BYTES)) as ExportManifest
      else {
        const hash = createHash('sha256')
        for await (const piece of entry.bytes) hash.update(piece)
        found.set(entry.name, { bytes: entry.size, sha256: hash.digest('hex') })
      }
    })
  } catch (error) {
    throw refused(file, `It cannot be read: ${(error as Error).message}.`)
  }
  if (manifest?.format !== EXPORT_FORMAT) throw refused(file, 'It is no export of pdpp.')
  if (!Object.values<number>(EXPORT_VERSION).includes(manifest.version))
    throw refused(file, 'It was made by a newer version of pdpp.')
  const wrong = manifest.files.find(({ name, bytes, sha256 }: ExportedFile) => {
    const have = found.get(name)
    return have?.bytes !== bytes || have.sha256 !== sha256
  })
  if (wrong) throw refused(file, `${wrong.name} is missing or was changed.`)
  if (found.size !== manifest.files.length) throw refused(file, 'It holds files that its manifest does not name.')
}

const refused = (file: string, reason: string): CommandFailure =>
  new CommandFailure(EXIT.usage, `${file} cannot be imported. ${reason}`, 'Use a file that `pdpp owner export` wrote.')

export async function textOf({ name, size, bytes }: TarFile, most: number): Promise<string> {
  if (size > most) throw new Error(`${name} is too large`)
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

import { copyFile, link, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { BLOB_FOLDER, BlobFiles, blobPath } from '../../blob-files.ts'
import { MAIN_FILE } from '../installation/file-check.ts'

export interface SnapshotBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly path: string
}

/** Hard-links all blobs next to the copy, so that blobs deleted meanwhile stay in it without copying bytes. */
export async function linkBlobs(directory: string, copy: string): Promise<void> {
  for await (const sha256 of new BlobFiles(join(directory, BLOB_FOLDER)).all()) await linkBlob(directory, copy, sha256)
}

/** The blobs that the copied database refers to. Links those that came after `linkBlobs`. */
export async function blobsOf(directory: string, copy: string): Promise<{ blobs: SnapshotBlob[]; missing: number }> {
  const blobs: SnapshotBlob[] = []
  let missing = 0
  for (const { sha256, size_bytes: sizeBytes } of blobRows(copy)) {
    const path = join(copy, BLOB_FOLDER, blobPath(sha256))
    if ((await sizeOf(path)) === undefined) await linkBlob(directory, copy, sha256)
    if ((await sizeOf(path)) === sizeBytes) blobs.push({ sha256, sizeBytes, path })
    else missing++
  }
  return { blobs, missing }
}

function blobRows(copy: string): { sha256: string; size_bytes: number }[] {
  const db = new Database(join(copy, MAIN_FILE), { readonly: true, fileMustExist: true })
  try {
    const hasBlobs = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'blob'").get()
    if (!hasBlobs) return []
    const sql = 'select sha256, max(size_bytes) size_bytes from blob group by sha256 order by sha256'
    return db.prepare(sql).all() as { sha256: string; size_bytes: number }[]
  } finally {
    db.close()
  }
}

async function linkBlob(directory: string, copy: string, sha256: string): Promise<void> {
  const [from, to] = [directory, copy].map((place) => join(place, BLOB_FOLDER, blobPath(sha256))) as [string, string]
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The blob was removed since it was listed, or is already linked.
    if (code === 'ENOENT' || code === 'EEXIST') return
    // The file system has no links.
    await copyFile(from, to)
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

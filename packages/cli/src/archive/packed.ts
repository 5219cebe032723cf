import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type TarFile, writeTar } from './tar.ts'

/** A tar, compressed as it is taken. Its first bytes come at once, however long the first file takes to be made. */
export async function* packed(files: AsyncIterable<TarFile> | Iterable<TarFile>, at: Date): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  gzip.flush()
  const written = pipeline(writeTar(files, at), gzip)
  // Whoever reads is told.
  written.catch(() => {})
  yield* gzip as AsyncIterable<Uint8Array>
  await written
}

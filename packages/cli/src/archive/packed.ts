import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type TarFile, writeTar } from './tar.ts'

/** Packs files into a gzipped tar. The first bytes come at once, even if the first file takes long to make. */
export async function* packed(files: AsyncIterable<TarFile> | Iterable<TarFile>, at: Date): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  gzip.flush()
  const written = pipeline(writeTar(files, at), gzip)
  // The reader of the stream gets this error below, so it must not count as unhandled before.
  written.catch(() => {})
  yield* gzip as AsyncIterable<Uint8Array>
  await written
}

import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Max. growth of large compressed data. Text shrinks to a tenth and logs to a hundredth, so more is an attack. */
const MAX_RATIO = 1000
const SMALL_BYTES = 100_000_000

export const growsTooMuch = (size: number, packedSize: number): boolean =>
  size > SMALL_BYTES && size / Math.max(1, packedSize) > MAX_RATIO

/** Unpacks gzip data as it is read. */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>, packedSize: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of pipeline(packed, createGunzip(), () => {}) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (growsTooMuch(size, packedSize)) throw new Error(`it would grow to more than ${MAX_RATIO} times its size`)
    yield chunk
  }
}

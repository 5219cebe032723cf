import { crc32 } from 'node:zlib'
import { random } from '../random.ts'

const WIDTH = 48
const HEIGHT = 36

/**
 * A small grey picture of a lighthouse by the sea. The seed decides the hour, the horizon and the position of the
 * tower.
 */
export const png = (seed: string): Buffer => {
  const rng = random(`picture/${seed}`)
  const horizon = rng.int(22, 28)
  const tower = rng.int(8, 38)
  const sky = rng.int(90, 210)
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => {
      const aside = Math.abs(x - tower)
      if (y > 5 && y < horizon + 2 && aside <= 1 + y / 12) return Math.floor(y / 4) % 2 === 0 ? 250 : 60
      if (y === 5 && aside <= 2) return 255
      return y < horizon ? sky - y : 70 - rng.int(0, 30)
    }),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight bits of grey.
  header[8] = 8
  const pixels = Buffer.from(rows.flatMap((row) => [0, ...row]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', stored(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (name: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** A zlib stream without compression, because the output of compressors differs between versions. */
const stored = (bytes: Buffer): Buffer => {
  const frame = Buffer.alloc(11)
  frame.writeUInt16BE(0x7801, 0)
  frame[2] = 1
  frame.writeUInt16LE(bytes.length, 3)
  frame.writeUInt16LE(0xffff - bytes.length, 5)
  let [low, high] = [1, 0]
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  frame.writeUInt32BE(high * 65_536 + low, 7)
  return Buffer.concat([frame.subarray(0, 7), bytes, frame.subarray(7)])
}

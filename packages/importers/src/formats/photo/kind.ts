const STARTS: readonly (readonly [type: string, start: Buffer])[] = [
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/gif', Buffer.from('GIF8')],
  ['image/tiff', Buffer.from([0x49, 0x49, 0x2a, 0x00])],
  ['image/tiff', Buffer.from([0x4d, 0x4d, 0x00, 0x2a])],
]

/** Recognises a picture by its first bytes. */
export function pictureType(bytes: Buffer): string | undefined {
  const found = STARTS.find(([, start]) => bytes.subarray(0, start.length).equals(start))
  if (found) return found[0]
  const mark = bytes.subarray(8, 12).toString('latin1')
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && mark === 'WEBP') return 'image/webp'
  if (bytes.subarray(4, 8).toString('latin1') !== 'ftyp') return
  // Videos have the same box with other brands.
  return /^(heic|heix|mif1|msf1|hevc|heim)$/.test(mark) ? 'image/heic' : mark === 'avif' ? 'image/avif' : undefined
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storedZip } from '../../../../tests/fixtures/stored-zip.ts'
import { DatabaseCopies } from './database-copy.ts'
import { type FileInput, findFiles } from './files.ts'

const DIRECTORY = 'PK\u0001\u0002'

async function inputOf(zip: Buffer): Promise<FileInput> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-zip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.zip')
  writeFileSync(path, zip)
  const [input] = await findFiles([path], new DatabaseCopies(folder), () => {})
  return input!
}

/** A zip whose entry is deflated. The directory says how large and which checksum the content has. */
function deflatedZip(packed: Buffer, size: number, sum: number): Buffer {
  const zip = storedZip({ 'notes.txt': packed })
  const at = zip.indexOf(DIRECTORY)
  zip.writeUInt16LE(8, at + 10)
  zip.writeUInt32LE(sum, at + 16)
  zip.writeUInt32LE(size, at + 24)
  return zip
}

// Small entries are read at their position, larger ones by the library. Both must give and refuse the same.
describe.each([1, 300, 9000])('an entry of %i lines', (lines) => {
  const text = Array.from({ length: lines }, (_, at) => `line ${at}\n`).join('')
  const packed = deflateRawSync(text)
  const sum = crc32(text)

  it('is read whether it is stored or deflated', async () => {
    for (const zip of [storedZip({ 'notes.txt': text }), deflatedZip(packed, text.length, sum)]) {
      const input = await inputOf(zip)
      expect((await buffer(input.open())).toString()).toBe(text)
      expect(input.bytesRead).toBeCloseTo(input.fileSize)
    }
  })

  it('is refused if its content is not what the directory says', async () => {
    const cases: [Buffer, RegExp][] = [
      [deflatedZip(packed, text.length, (sum ^ 1) >>> 0), /its checksum does not match/],
      [deflatedZip(packed, text.length - 1, sum), /too many bytes in the stream/],
      [deflatedZip(packed, text.length + 1, sum), /not enough bytes in the stream/],
      [deflatedZip(Buffer.alloc(packed.length, 0xff), text.length, sum), /is damaged or cut off/],
    ]
    for (const [zip, reason] of cases) await expect(buffer((await inputOf(zip)).open())).rejects.toThrow(reason)
  })

  it('is refused if nothing is at its position', async () => {
    const zip = storedZip({ 'notes.txt': text })
    zip.fill(0, 0, 4)
    await expect(buffer((await inputOf(zip)).open())).rejects.toThrow('invalid local file header signature')
  })
})

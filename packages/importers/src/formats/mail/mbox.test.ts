import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { splitMbox } from './mbox.ts'

async function split(text: string, piece = 5, maxBytes = 1_000_000) {
  const found = []
  for await (const item of splitMbox(memoryInput('x', text, piece).open(), maxBytes)) found.push(item)
  return found
}
const texts = async (text: string, piece?: number) =>
  (await split(text, piece)).map((item) => ('bytes' in item ? item.bytes.toString() : item))

const MBOX = `From a@b.example Tue Mar 04 03:33:20 2003
Subject: one

>From the start, and
>>From quoted
From here on it is a sentence.

From Lund to Ystad takes an hour, said at 10:30 in 2003

From - Wed Mar 05 03:33:20 2003
Subject: two

body

From 1234@xxx Thu Jan  1 00:00:00 +0000 2024
Subject: three

end
`

it('cuts at separators and nowhere else, and takes the mark off From-lines', async () => {
  const expected = [
    'Subject: one\n\nFrom the start, and\n>From quoted\nFrom here on it is a sentence.\n\nFrom Lund to Ystad takes an hour, said at 10:30 in 2003\n',
    'Subject: two\n\nbody\n',
    'Subject: three\n\nend\n',
  ]
  for (let piece = 1; piece < 40; piece += 3) expect(await texts(MBOX, piece)).toEqual(expected)
  expect(await texts(MBOX.replaceAll('\n', '\r\n'))).toEqual(expected.map((text) => text.replaceAll('\n', '\r\n')))
})

it('knows when a message was delivered, and in which line it begins', async () => {
  expect((await split(MBOX)).map((item) => ['delivered' in item && item.delivered, item.line])).toEqual([
    ['Tue Mar 04 03:33:20 2003', 1],
    ['Wed Mar 05 03:33:20 2003', 10],
    ['Thu Jan  1 00:00:00 +0000 2024', 15],
  ])
})

it('skips a message that is too large, and continues', async () => {
  const [first, second] = await split(MBOX, 64, 30)
  expect(first).toMatchObject({ tooLarge: expect.any(Number), line: 1 })
  expect(second).toMatchObject({ line: 10, bytes: expect.anything() })
})

it('keeps a line without end in pieces', async () => {
  const long = 'x'.repeat(300_000)
  expect(await texts(`From a Tue Mar 04 03:33:20 2003\nSubject: x\n\n${long}\n`, 50_000)).toEqual([
    `Subject: x\n\n${long}\n`,
  ])
})

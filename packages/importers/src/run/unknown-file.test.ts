import { expect, it } from 'vitest'
import { headOf } from '../reading/input-head.ts'
import { memoryInput } from '../reading/memory-input.fixture.ts'
import { whyUnknown } from './unknown-file.ts'

it.each([
  ['a.bin', '', /^is empty$/],
  ['All mail.mbox', ' \n\n', /^is empty$/],
  ['table.parquet', 'PAR1\u0015\u0000', /Parquet table: save it as CSV/],
  ['talk.pptx', 'PK\u0003\u0004', /presentation: save it as PDF/],
  ['letter.pages', 'PK\u0003\u0004', /save it as DOCX or PDF/],
  ['diary.rss', '<?xml version="1.0"?><rss version="2.0">', /feed of news/],
  ['a.note', '<?xml version="1.0"?><note version="0.3" xmlns="http://beatniksoftware.com/tomboy">', /Tomboy/],
  ['orders.xlsx', 'PK\u0003\u0004', /^is a spreadsheet: save it as CSV$/],
  ['bank.ofx', 'OFXHEADER:100\nDATA:OFXSGML\n<OFX>', /OFX bank statement.*CSV/],
  ['bank.qif', "!Type:Bank\nD1/2'24\n", /QIF/],
  ['export.xml', '<?xml version="1.0"?><HealthData locale="en">', /Apple Health/],
  ['msgstore.db.crypt15', '\u0001\u0002', /encrypted WhatsApp backup.*Export chat/],
  ['track', '<?xml version="1.0"?><gpx version="1.1">', /GPX/],
  ['x', '<?xml version="1.0"?><odd/>', /XML.*CSV or JSON/],
  ['photos', 'PK\u0003\u0004', /zip archive under another name/],
  ['x', new Uint8Array([1, 2, 3, 0, 0, 7, 8, 9]), /binary file.*Anything with rows/],
  ['x', 'Just words.', /text in a format that no importer knows/],
])('%s says what it is and what would help', async (name, content, expected) => {
  expect(whyUnknown(name, await headOf(memoryInput(name, content)))).toMatch(expected)
})

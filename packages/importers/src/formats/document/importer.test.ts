import { describe, expect, it } from 'vitest'
import { storedZip } from '../../../../../tests/fixtures/stored-zip.ts'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { docx, epub, HTML, odt, pdfWith } from './documents.fixture.ts'
import { documents } from './importer.ts'

const MINUTES = pdfWith(['Ida opened the meeting.', 'The fence was mended.'])
const FILES = {
  'Papers/page.html': HTML,
  'Papers/minutes.pdf': MINUTES,
  'Papers/copy of minutes': MINUTES,
  'Papers/boat.docx': docx(),
  'Papers/letter.odt': odt(),
  'Papers/book.epub': epub(),
  'Papers/scan 2026-04-09.pdf': pdfWith([''], ''),
}
const read = (files: Record<string, string | Uint8Array>, zone?: string) =>
  readExport(
    documents,
    Object.entries(files).map(([name, content]) => memoryInput(name, content, 5000)),
    zone === undefined ? {} : { zone },
  )

const SCAN = FILES['Papers/scan 2026-04-09.pdf']

describe('documents', () => {
  it.each([
    [
      'Papers/minutes.pdf',
      ['Minutes of April', null, '2026-04-03T10:15:00+02:00'],
      [
        [1, null, 'Ida opened the meeting.'],
        [2, null, 'The fence was mended.'],
      ],
    ],
    [
      'Papers/boat.docx',
      ['Boat plan', 'Ida Moor', '2026-04-03T10:15:00Z'],
      [
        [1, 'The boat', 'Paint the hull\t& mast.\nPaint\t20\nA box'],
        [2, 'Footnotes', 'Two coats.'],
      ],
    ],
    [
      'Papers/letter.odt',
      ['letter', 'Ida Moor', '2026-05-01T09:00:00+02:00'],
      [[1, 'Letter', 'Dear  Ida,\nrain (since May) again.\na\tb']],
    ],
    [
      'Papers/book.epub',
      ['A short book', 'Ida Moor', '2026-04-03T00:00:00+02:00'],
      [
        [1, 'First', 'It began.'],
        [2, 'Second', 'Second\n\nThe end came.'],
      ],
    ],
    [
      'Papers/page.html',
      ['Moss & fern', 'Ida Moor', null],
      [
        [1, 'Moss', 'It is green.'],
        [2, 'Fern', 'It is tall.'],
      ],
    ],
  ] as const)('%s has its text in sections', async (name, about, sections) => {
    const { records } = await read({ [name]: FILES[name] }, 'Europe/Berlin')
    const [document, ...rest] = records.filter(({ stream }) => stream !== 'files').map(({ data }) => data)
    expect([document!['title'], document!['author'], document!['dated_at']]).toEqual(about)
    expect(rest.map(({ position, heading, text }) => [position, heading, text])).toEqual(sections)
    expect(document!['section_count']).toBe(sections.length)
  })

  it('of pictures only say so, and are dated by their name', async () => {
    const { records, items } = await read({ 'scan 2026-04-09.pdf': FILES['Papers/scan 2026-04-09.pdf'] })
    const documentsOf = records.filter(({ stream }) => stream === 'documents')
    expect(documentsOf.map(({ data }) => [data['title'], data['dated_at']])).toEqual([
      ['scan 2026-04-09', '2026-04-09T00:00:00Z'],
    ])
    expect(JSON.stringify(items)).toContain('has only pictures of text')
  })

  it('that grow too large or declare entities keep only their file', async () => {
    const liar = docx()
    // The size that the directory of the zip claims for the text.
    const at = liar.indexOf('word/document.xml', liar.indexOf('PK\u0001\u0002')) - 46
    liar.writeUInt16LE(8, at + 10)
    liar.writeUInt32LE(3_000_000_000, at + 24)
    const entities = storedZip({
      'word/document.xml': '<!DOCTYPE d [<!ENTITY a "ha">]><d><p><t>&a;</t></p></d>',
      '[Content_Types].xml': '',
    })
    const { records, items } = await read({ 'liar.docx': liar, 'entities.docx': entities })
    expect(records.map(({ stream }) => stream)).toEqual(['files', 'documents', 'files', 'documents'])
    const reasons = items.flatMap((item) => ('problem' in item ? [item.problem.reason] : []))
    expect(reasons.toSorted()).toEqual([
      expect.stringMatching(/cannot be read: it declares entities, which is refused/),
      expect.stringMatching(/cannot be read: its part word.document.xml would grow to 3000000000 bytes/),
    ])
  })

  it('in two folders are one document, whichever is imported again', async () => {
    for (const name of ['minutes.pdf', 'letter.odt', 'scan 2026-04-09.pdf'] as const) {
      const content = FILES[`Papers/${name}`]
      const [here, there] = [await read({ [`A/${name}`]: content }), await read({ [`B/C/${name}`]: content })]
      const others = ({ records }: typeof here) =>
        records.filter(({ stream }) => stream !== 'files').map(({ key, data }) => ({ key, data }))
      expect(others(there)).toEqual(others(here))
      const places = [here, there].flatMap(({ records }) => records.filter(({ stream }) => stream === 'files'))
      expect(places.map(({ data }) => [data['folder'], data['filename']])).toEqual([
        ['A', name],
        ['B/C', name],
      ])
      expect(new Set(places.map(({ key }) => key)).size).toBe(2)
    }
    const copies = await read({ 'scan.pdf': SCAN, 'scan (1).pdf': SCAN, 'Copy of scan.pdf': SCAN, 'other.pdf': SCAN })
    expect(copies.records.filter(({ stream }) => stream === 'documents')).toHaveLength(2)
  })

  it('say how local times are read only if they have some', async () => {
    const codes = async (name: keyof typeof FILES) =>
      (await read({ [name]: FILES[name] })).plans[0]!.notices.map((notice) => typeof notice === 'object' && notice.code)
    expect(await codes('Papers/page.html')).toEqual([])
    expect(await codes('Papers/minutes.pdf')).toEqual([])
    expect(await codes('Papers/letter.odt')).toEqual(['local_times'])
  })

  it.each([
    ['table.xlsx', storedZip({ '[Content_Types].xml': '', 'xl/workbook.xml': '' })],
    ['sheet.ods', storedZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' })],
    ['note.txt', 'a <b> c'],
    ['feed.xml', '<?xml version="1.0"?><rss><channel/></rss>'],
  ])('%s is none', async (name, content) => {
    expect(await documents.detect(await candidate(memoryInput(name, content)))).toBeUndefined()
  })
})

const {
  'Papers/minutes.pdf': _pdf,
  'Papers/copy of minutes': _copy,
  'Papers/scan 2026-04-09.pdf': _scan,
  ...OTHERS
} = FILES

importerBattery({
  importer: documents,
  files: { ...OTHERS, 'Papers/copy of page': HTML },
  records: { documents: 4, sections: 7, files: 5 },
  seen: { documents: 5 },
  leftOut: [['documents', 'copies of a document that was imported', 1]],
  isOpenEnded: true,
})

importerBattery({
  importer: documents,
  files: { 'minutes.pdf': MINUTES, 'scan.pdf': SCAN },
  records: { documents: 2, sections: 2, files: 2 },
  seen: { documents: 2 },
  problems: 1,
  isOpenEnded: true,
  fuzzRuns: 50,
})

importerBattery({
  importer: documents,
  files: { 'boat.docx': OTHERS['Papers/boat.docx'] },
  records: { documents: 1, sections: 2, files: 1 },
  seen: { documents: 1 },
  isOpenEnded: true,
})

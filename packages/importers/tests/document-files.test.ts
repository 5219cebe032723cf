// Documents and pictures that others made, with the text that their authors expect.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder, hasCorpus, importAll } from './corpus.ts'

/** The words of a text, without marks of Markdown and addresses. */
const words = (text: string): string[] =>
  text
    .replace(/<!--[\s\S]*?-->|https?:\/\/\S+|\]\([^)]*\)/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)

/** The share of the expected words that were read. */
function recall(read: string, expected: string): number {
  const own = new Set(words(read))
  const wanted = words(expected)
  return wanted.length === 0 ? 1 : wanted.filter((word) => own.has(word)).length / wanted.length
}

const pairs = !hasCorpus
  ? []
  : globSync('documents-docling/{docx,odf,epub,html,pdf}/sources/*', { cwd: corpusFolder })
      .map((source) => ({
        source,
        expected: join(corpusFolder, source.replace('/sources/', '/groundtruth/').replace(/$/, '.md')),
      }))
      .filter(({ source, expected }) => existsSync(expected) && !source.endsWith('.odt.pdf'))
      .map(({ source, expected }) => [source, expected] as const)

describe.skipIf(!hasCorpus)('documents of the collection', () => {
  it.each(pairs)('%s has the text that upstream expects', async (source, expected) => {
    const documents = (await importAll(source)).get('documents')!
    const text = documents
      .of('sections')
      .map((section) => `${section['heading'] ?? ''}\n${section['text'] ?? ''}`)
      .join('\n')
    expect(documents.problems).toEqual([])
    // Arabic presentation forms and formulas are written in more than one way.
    const least = /right_to_left|formula/.test(source) ? 0.6 : 0.9
    expect([source, recall(text, readFileSync(expected, 'utf8'))]).toEqual([
      source,
      expect.toSatisfy((share) => (share as number) >= least),
    ])
  })

  it('the pages of a PDF are its sections', async () => {
    const documents = (await importAll('documents-docling/pdf/sources/multi_page.pdf')).get('documents')!
    expect(documents.of('sections').map((section) => section['position'])).toEqual([1, 2, 3, 4, 5])
    expect(documents.of('documents')[0]).toMatchObject({
      format: 'pdf',
      dated_at: '2025-01-24T13:59:15Z',
      section_count: 5,
    })
  })

  it('Word: one feature in each file', async () => {
    const documents = (await importAll('docx-mammoth')).get('documents')!
    const texts = new Map(
      documents.of('documents').map((document) => [
        documents.of('files').find((file) => file['document_id'] === document['id'])?.['filename'],
        documents
          .of('sections')
          .filter((section) => section['document_id'] === document['id'])
          .map((section) => section['text']),
      ]),
    )
    expect(Object.fromEntries(texts)).toMatchObject({
      'comments.docx': ['Ouch.', 'A tachyon walks into a bar.\nFin.'],
      'footnotes.docx': ['Ouch.', expect.stringContaining('A tachyon walks into a bar.')],
      'endnotes.docx': ['Ouch.', expect.stringContaining('A tachyon walks into a bar.')],
      'simple-list.docx': ['Apple\nBanana'],
      'single-paragraph.docx': ['Walking on imported air'],
      'strict-format.docx': ['Test'],
      'tables.docx': ['Above\nTop left\tTop right\nBottom left\tBottom right\nBelow'],
      'text-box.docx': ['Datum plane'],
      'utf8-bom.docx': ['This XML has a byte order mark.'],
      'underline.docx': ['The Sunset Tree'],
      'empty.docx': [],
    })
    expect(documents.problems).toEqual([])
  })

  it('photos are pictures by their bytes, and copies count once', async () => {
    const photos = (
      await importAll('notes-misc-obsidian-importer/html/attachments', 'obsidian-vault-export/input/main-samples')
    ).get('photos')!
    // Three files are the same picture: with its ending, with a wrong one, and without.
    const files = photos.of('files').filter((file) => String(file['filename']).startsWith('image'))
    expect([files.length, new Set(files.map((file) => file['photo_id'])).size]).toEqual([5, 3])
    expect(photos.coverage.leftOut.map(({ reason, count }) => [reason, count])).toEqual([
      ['copies of a photo that was imported', 2],
    ])
    expect(photos.problems).toEqual([])
  })

  it('photos of Google Photos have the time and place beside them', async () => {
    const photos = (await importAll('phone-locket/photos')).get('photos')!
    expect(photos.problems).toEqual([])
    const names = (id: unknown) =>
      photos.of('files').flatMap((file) => (file['photo_id'] === id ? [file['filename']] : []))
    const seen = photos.of('photos').map((photo) => [names(photo['id']), photo['taken_at'], photo['latitude']])
    expect(seen).toEqual([
      // The copy in the album is the same photo.
      [['IMG_a_dup.jpg', 'IMG_a.jpg'], '2025-01-15T23:30:00Z', 37.7668056],
      [['IMG_b.jpg'], '2025-01-15T11:00:00Z', 40.7128],
      [['IMG_c.jpg'], '2025-01-15T12:00:00Z', 51.5074],
      [['IMG_d.jpg'], '2025-01-15T13:00:00Z', null],
    ])
    expect(photos.problems).toEqual([])
    expect(photos.coverage.items).toEqual({ seen: 5, imported: 4 })
  })
})

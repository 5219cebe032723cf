// Notes that others wrote, with what their authors expect of a reader.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../src/text/markdown.ts'
import { corpusFolder, hasCorpus, importAll } from './corpus.ts'

const flat = (text: unknown) =>
  String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe.skipIf(!hasCorpus)('notes of the collection', () => {
  it('Google Keep: 13 notes, one broken, one that lacks a time', async () => {
    const keep = (await importAll('keep-obsidian-importer')).get('google-keep')!
    const notes = keep.of('notes')
    expect(notes.length).toBe(14)
    expect(keep.problems.map(({ place, kept }) => [basename(place.input), kept]).toSorted()).toEqual([
      ['broken-json-note.json', false],
      ['invalid-keep-json-note.json', true],
    ])
    const titled = (title: string) => notes.find((note) => note['title'] === title)!
    expect(titled('Archived note')['is_archived']).toBe(true)
    expect(titled('Deleted note')['is_deleted']).toBe(true)
    expect(titled('Pinned text note')['is_pinned']).toBe(true)
    expect(titled('Labelled note')['tags']).toHaveLength(6)
    expect(titled('Pinned text note')['created_at']).toBe('2023-07-27T02:45:09.718Z')
    expect(keep.of('tasks').map((task) => task['text'])).toEqual([
      'First item',
      'Second item and #hashtag',
      'First sub-item',
      'Second sub-item and #labelWith!\'@:$"Symbols',
      'Third item',
    ])
    expect(keep.of('attachments').map((file) => file['is_missing'])).toEqual([true, true, true, true, true])
    expect(keep.coverage.unexplained).toBe(0)
  })

  it('Evernote: 86 notes of 71 files, with all that belongs to them', async () => {
    const evernote = (await importAll('evernote-obsidian-importer')).get('evernote')!
    const notes = evernote.of('notes')
    expect([notes.length, evernote.coverage.files.read, evernote.problems]).toEqual([86, 71, []])
    const from = (notebook: string) => notes.filter((note) => note['folder'] === notebook)
    expect(from('test-noteWithTags')[0]).toMatchObject({ tags: ['tag1', 'tag2'], text: 'This is the content' })
    expect(from('newlines_plain_EN')[0]!['text']).toBe('line1\n\nline2')
    expect(from('test-encryption')[0]).toMatchObject({ is_locked: true })
    expect(from('test-noteWithLatLong')[0]!['latitude']).toBeTypeOf('number')
    expect(from('test-noteWithSourceUrl')[0]!['url']).toMatch(/^http/)
    const todo = evernote.of('tasks').filter((task) => task['note'] === 'Things to do')
    expect(todo.map((task) => [task['text'], task['is_done'], task['due_at']])).toEqual([
      ['Simple task', false, null],
      ['Done', true, null],
      ['Task with due date', false, '2022-05-28T21:59:59Z'],
      ['Task with a flag', false, null],
      ['Task with a reminder', false, null],
    ])
    const files = evernote.of('attachments')
    const expected = join(
      corpusFolder,
      'evernote-obsidian-importer/yarle/expected/test-pdfAttachment/attachments/sample.pdf',
    )
    expect(files.find((file) => file['filename'] === 'sample.pdf')?.['sha256']).toBe(sha256(expected))
  })

  it.each([
    ['test-bracketlinks'],
    ['test-list'],
    ['test-table'],
    ['test-headings'],
    ['test-note-attributes'],
    ['test-noteWithCodeBlock'],
    ['customfont'],
  ])('Evernote: %s has the words of the expected text', async (name) => {
    const evernote = (await importAll(`evernote-obsidian-importer/yarle/${name}.enex`)).get('evernote')!
    const words = (text: string) =>
      flat(text.replace(/https?:\/\/\S+/g, ' ').replace(/[^\p{L}\p{N}]+/gu, ' ')).split(' ')
    const own = new Set(
      words(
        evernote
          .of('notes')
          .map((note) => `${note['text']}`)
          .join(' '),
      ),
    )
    for (const path of globSync(`evernote-obsidian-importer/yarle/expected/${name}/*.md`, { cwd: corpusFolder })) {
      const { body } = await readMarkdown(readFileSync(join(corpusFolder, path), 'utf8'))
      const wanted = words(body.replace(/!\[\[.*?\]\]|!\[.*?\]\(.*?\)|\]\(.*?\)/g, ' '))
      const lost = wanted.filter((word) => word !== '' && !own.has(word))
      expect([path, lost.slice(0, 20), lost.length / wanted.length < 0.05]).toEqual([path, lost.slice(0, 20), true])
    }
  })

  it('Notion as Markdown: 278 pages, and the rows of a database once', async () => {
    const notion = (await importAll('notion-obsidian-importer/Notion.Test.Export.zip')).get('notion')!
    const notes = notion.of('notes')
    expect([notes.length, notion.problems]).toEqual([278, []])
    expect(notes.every((note) => /^[0-9a-f]{32}$/.test(String(note['id'])))).toBe(true)
    const days = notes.filter((note) => note['folder'] === 'Habit Tracker')
    const rows = notion.of('rows')
    // The page @Today is not among the rows.
    expect([days.length, rows.length]).toEqual([270, 269])
    expect(rows.filter((row) => row['note_id'] !== null).length).toBeGreaterThan(rows.length * 0.9)
    expect(days.find((note) => note['title'] === '@December 1, 2024')).toMatchObject({
      noted_at: '2024-12-01T00:00:00Z',
      properties: { 'Full date': 'December 4, 2024 8:45 AM', 'Ran today': 'No' },
    })
    const example = notes.find((note) => note['title'] === 'Example sub page')!
    expect(notion.of('links').some((link) => link['target_id'] === example['id'])).toBe(true)
    expect(notion.of('tasks').find((task) => task['text'] === 'Call Mom')?.['is_done']).toBe(true)
    expect(notion.coverage.leftOut.map(({ reason }) => reason).toSorted()).toEqual([
      'a list of the pages',
      'the same rows as in the file _all.csv',
    ])
  })

  it('Notion as HTML: 4 pages with files, and a row with properties', async () => {
    const found = await importAll(
      'notion-obsidian-importer/notion-testspace.zip',
      'notion-obsidian-importer/database-row.html',
    )
    const notion = found.get('notion')!
    expect(
      notion
        .of('notes')
        .map((note) => note['title'])
        .toSorted(),
    ).toEqual(['Attachment Tests', 'Block Reference', 'Espresso machine', 'Formatting Tests', 'Notion-Testspace'])
    expect(notion.of('attachments').filter((file) => file['is_missing'] === false).length).toBeGreaterThanOrEqual(5)
    const row = notion.of('notes').find((note) => note['title'] === 'Espresso machine')!
    expect(row).toMatchObject({
      tags: ['home office', 'coffee'],
      properties: { Price: '67.3', 'Price (USD)': '$1,234.56', Status: 'Owned', Serviced: 'Yes', Sold: 'No' },
      text: 'A row kept for its properties rather than its body.',
    })
  })

  it('Day One: three entries, one without text, and a photo that is missing', async () => {
    const dayOne = (await importAll('dayone-textbundle')).get('day-one')!
    expect(dayOne.of('notes').filter((note) => note['text'] !== null).length).toBe(3)
    expect(dayOne.problems.map(({ reason, kept }) => [reason, kept])).toEqual([['has no text', true]])
    expect(dayOne.of('notes')[0]).toMatchObject({ title: 'Initial entry', noted_at: '2019-03-18T13:04:56Z' })
    expect(dayOne.of('attachments').map((file) => [file['filename'], file['is_missing']])).toEqual([
      ['cf80411fda6ba991b6110b2365fb8286.jpeg', true],
    ])
    expect(dayOne.of('notes').some((note) => String(note['text']).includes('double escape a/b dot. single'))).toBe(true)
  })

  it('Apple Notes: 14 notes in 3 folders of 2 accounts', async () => {
    const apple = (await importAll('apple-macos-ts')).get('apple-notes')!
    const notes = apple.of('notes')
    expect([notes.length, apple.problems]).toEqual([14, []])
    expect([...new Set(notes.map((note) => note['folder']))].toSorted()).toEqual([
      'On My Mac/Personal',
      'iCloud/Notes',
      'iCloud/Work',
    ])
    expect(notes.filter((note) => note['is_locked']).map((note) => note['title'])).toEqual(['Secret Note'])
    expect(apple.of('tasks').map((task) => [task['text'], task['is_done']])).toEqual([
      ['Buy groceries', true],
      ['Clean house', false],
      ['Write code', true],
      ['Review PR', false],
    ])
    expect(apple.of('links').map((link) => [link['label'], link['target']])).toEqual([
      ['Example', 'https://example.com'],
      ['Other Site', 'https://other-site.com'],
    ])
    expect(apple.of('attachments').map((file) => [file['filename'], file['is_missing']])).toEqual([
      ['photo.jpg', false],
      ['FallbackPDF.pdf', false],
    ])
  })

  it('Obsidian: links lead where upstream says they lead, and loops end', async () => {
    const vault = (await importAll('obsidian-vault-export/input')).get('markdown')!
    const paths = new Map(vault.of('notes').map((note) => [note['id'], String(note['path'])]))
    const note = vault.of('notes').find((each) => each['path'] === 'main-samples/obsidian-wikilinks.md')!
    const targets = vault.of('links').filter((link) => link['note_id'] === note['id'])
    expect([...new Set(targets.map((link) => paths.get(link['target_id'])))].toSorted()).toEqual([
      'main-samples/Uppercased-note.md',
      'main-samples/_underscored-note.md',
      'main-samples/pure-markdown-examples.md',
    ])
    expect([vault.coverage.unexplained, vault.problems.filter(({ kept }) => !kept)]).toEqual([0, []])
  })

  it.each(['code', 'frontmatter', 'leading', 'lists', 'tags'])('Markdown: the tags of %s.md', async (name) => {
    const path = (each: string) => join(corpusFolder, 'notes-misc-obsidian-importer/markdown', each)
    const { tags } = await readMarkdown(readFileSync(path(`${name}.md`), 'utf8'))
    const expected = await readMarkdown(readFileSync(path(`expected/${name}/tags-as-properties.md`), 'utf8'))
    const wanted = Array.isArray(expected.front['tags']) ? expected.front['tags'].map(String) : []
    expect(tags).toEqual(expect.arrayContaining(wanted))
  })
})

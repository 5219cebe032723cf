// Real files of kinds that have no importer of their own: tables and mail come in, the others are refused by name.
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseCopies, findFiles, recognise, type Skipped } from '@pdpp/importers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readExport } from '../src/run/importer-battery.fixture.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
const root = join(corpora, 'import')
const here = corpora !== '' && existsSync(root)

async function recognised(paths: string[]) {
  const copies = new DatabaseCopies(tmpdir())
  onTestFinished(() => copies.remove())
  const skipped: Skipped[] = []
  const files = await findFiles(paths, copies, () => {})
  const found = await recognise(files, skipped, () => {}, new AbortController().signal)
  return { files, found, skipped }
}

/** The number of records of each stream, for files of one importer. */
async function counts(pattern: string, id: string): Promise<Record<string, number>> {
  const { found } = await recognised(globSync(pattern, { cwd: root }).map((path) => join(root, path)))
  const own = found.filter(({ importer }) => importer.id === id)
  const sums: Record<string, number> = {}
  for (const { importer, claim } of own) {
    const { records, coverage } = await readExport(importer, claim.inputs)
    expect(coverage.unexplained).toBe(0)
    for (const { stream } of records) sums[stream] = (sums[stream] ?? 0) + 1
  }
  return sums
}

describe.skipIf(!here)('files without an importer of their own', () => {
  it.each([
    ['ofx-ofxparse', '**/*.{ofx,qfx}', /OFX bank statement/],
    ['camt-genkgo', '**/*.xml', /CAMT bank statement|is XML/],
    ['mt940-wolph', '**/*.{sta,STA,mt940,940}', /MT940 bank statement|is text in a form/],
    ['gpx-gpxpy', '**/*.gpx', /GPX track|is XML|is empty|is text/],
    ['tcx-tcxparser', '**/*.tcx', /TCX workout|is XML/],
    ['fit-fitparse', '**/*.fit', /FIT workout|file of bytes|is empty|is text/],
    ['msg-outlookparser', '**/*.msg', /Outlook message/],
    ['pst-libpst', '**/*.pst', /Outlook data file/],
    ['onenote-obsidian-importer', '**/*.one', /OneNote notebook/],
    ['bear-obsidian-importer', '**/*.bear2bk', /Bear backup/],
    ['bluesky-indigo', '**/*.car', /Bluesky/],
    ['health-dogsheep', '**/*.xml', /Apple Health/],
    ['health-tagbug', '**/*.xml', /Apple Health/],
    ['kindle-eugeneware', '**/*lippings*.txt', /Kindle clippings/],
    ['passes-kitinerary', '**/*.pkpass', /Wallet pass/],
    ['bankcsv-csv2ofx', '**/*.qif', /QIF bank statement/],
    ['facebook-html-fbchat', '**/*.htm*', /page/],
    ['mixed-knowledgemaxxing', '*.js', /Twitter archive/],
    ['mixed-knowledgemaxxing', 'bookmarks_export.html', /bookmarks/],
    ['bookmarks-wallabag', 'shaarli*', /bookmarks/],
  ])('%s is refused by name', async (folder, pattern, reason) => {
    const paths = globSync(pattern, { cwd: join(root, folder) })
      .map((path) => join(root, folder, path))
      .filter((path) => statSync(path).isFile())
    expect(paths.length).toBeGreaterThan(0)
    const { found, skipped } = await recognised(paths)
    // An importer may come; then the file is that one's, and never a mail or a table by mistake.
    const mistaken = found.filter(({ importer }) => ['mail', 'tabular'].includes(importer.id))
    expect(mistaken.map(({ claim }) => claim.inputs.map(({ name }) => name))).toEqual([])
    expect(skipped.filter((each) => !reason.test(each.reason))).toEqual([])
  })

  it.each([
    ['emlx-mikez/*.emlx', 'mail', { messages: 2 }],
    ['gmail-takeoutreader/**/*.mbox', 'mail', { messages: 6 }],
    ['letterboxd-brianlovin/**/{diary,ratings,watched}.csv', 'tabular', { diary: 3, ratings: 3, watched: 3 }],
    ['goodreads-jelu/goodreads1.csv', 'tabular', { goodreads: 10 }],
    ['linkedin-labeldekho/*.csv', 'tabular', { Connections: 10, Messages: 11 }],
    ['bookmarks-wallabag/{pocket,instapaper-export}.csv', 'tabular', { pocket: 7, 'instapaper-export': 4 }],
    ['bookmarks-wallabag/{readability,omnivore}.json', 'tabular', { bookmarks: 3, omnivore: 20 }],
    ['bookmarks-wallabag/{pinboard_export,wallabag-v2.json}', 'tabular', { pinboard_export: 3, 'wallabag-v': 6 }],
    ['bookmarks-wallabag/delicious_export*', 'tabular', { delicious_export: 3 }],
    ['takeout-potluck/**/{comments,posts}.csv', 'tabular', { comments: 4, posts: 4 }],
    ['takeout-potluck/**/*Register.csv', 'tabular', { 'My-Budget-as-of-2025-12-20---Register': 8 }],
    ['takeout-dogsheep/**/*.json', 'tabular', { locations: 2, 'My-Activity': 5 }],
    ['takeout-gtp-literals/**/BrowserHistory.json', 'tabular', { 'Browser-History': 1 }],
    ['takeout-gtp-literals/**/{Records,Location History}.json', 'tabular', { locations: 3 }],
    ['takeout-gtp-literals/**/2017_DECEMBER.json', 'tabular', { timelineObjects: 3 }],
    ['mixed-datamirror/amazon_orders.csv', 'tabular', { amazon_orders: 5 }],
    ['mixed-datamirror/{google_activity,meta_posts}.json', 'tabular', { google_activity: 5, meta_posts: 3 }],
    ['location-kgeo-timeline/*.json', 'tabular', { semanticSegments: 2, rawSignals: 2 }],
    ['instagram-flock/**/posts*.json', 'tabular', { posts: 6 }],
    ['mixed-knowledgemaxxing/BrowserHistory.json', 'tabular', { 'Browser-History': 3 }],
  ])('%s comes in', async (pattern, id, expected) => {
    expect(await counts(pattern, id)).toMatchObject(expected)
  })
})

describe.skipIf(!here)('ids and times of Takeout keep every digit (import/takeout-gtp-literals)', () => {
  it('deviceTag beyond 2^53, and microseconds of a visit', async () => {
    const read = async (pattern: string) => {
      const { found } = await recognised(globSync(pattern, { cwd: root }).map((path) => join(root, path)))
      const all = await Promise.all(found.map(({ importer, claim }) => readExport(importer, claim.inputs)))
      return JSON.stringify(all.flatMap(({ records }) => records.map(({ data }) => data)))
    }
    expect(await read('takeout-gtp-literals/**/{Records,Location History}.json')).toContain('-8024144696862913506')
    expect(await read('takeout-gtp-literals/**/BrowserHistory.json')).toContain('2021-04-02T23:04:50.134513Z')
  })
})

describe.skipIf(!here)('the collection of real files', () => {
  /** Folders of kinds that have tests beside their importers. */
  const ELSEWHERE =
    /^(slack|chat|telegram|chatgpt|claude|aichats|agents|apple|imessage|phone|whatsapp|discord|facebook|instagram|keep|evernote|notion|notes|obsidian|dayone|documents|docx|ical|vcard|mixed|takeout|contacts|passes)-/
  /** Tables: each is imported again by import-twice.test.ts, which counts every row. */
  const TABLES =
    /^(bookmarks-wallabag|goodreads-jelu|linkedin-labeldekho|location-kgeo-timeline|location-schemas-lhf|singer-meltano|chats-chatpack)$/

  it('has no folder that no test is about', () => {
    const tests = globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((name) =>
      readFileSync(join(import.meta.dirname, name), 'utf8'),
    )
    const unknown = readdirSync(root).filter(
      (folder) => !ELSEWHERE.test(folder) && !TABLES.test(folder) && !tests.some((text) => text.includes(folder)),
    )
    expect(unknown).toEqual([])
  })
})

if (!here) it.skip('files of other kinds: needs PDPP_CORPORA, which holds import/', () => {})

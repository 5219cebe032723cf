// Real files of kinds that have no importer of their own: tables and mail are imported, and the others are refused with
// the name of their kind.
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
    ['fit-fitparse', '**/*.fit', /FIT workout|binary file|is empty|is text/],
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
    ['bookmarks-wallabag', '{test.*,wallabag-v2-empty.json}', /is empty/],
    ['phone-locket', 'sms_backup.xml', /SMS Backup & Restore/],
    ['letterboxd-brianlovin', '*.rss', /feed of news/],
    ['notes-misc-obsidian-importer', 'tomboy/*.note', /Tomboy/],
    ['notes-misc-obsidian-importer', 'textbundle/*.textpack', /packed note: give it the ending .zip/],
    ['gmail-takeoutreader', 'empty.mbox', /is empty/],
    ['takeout-layout-gtp', 'RecentTakeout/**', /is empty/],
  ])('%s is refused by name', async (folder, pattern, reason) => {
    const paths = globSync(pattern, { cwd: join(root, folder) })
      .map((path) => join(root, folder, path))
      .filter((path) => statSync(path).isFile())
    expect(paths.length).toBeGreaterThan(0)
    const { found, skipped } = await recognised(paths)
    // If an importer for the file is added, it claims the file. The file is never mistaken for a mail or a table.
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
    ['mixed-knowledgemaxxing/MyActivity.json', 'tabular', { MyActivity: 3 }],
    ['mixed-knowledgemaxxing/history_export.*', 'tabular', { history_export: 5 }],
    ['mixed-knowledgemaxxing/instapaper_export.csv', 'tabular', { instapaper_export: 2 }],
    ['mixed-knowledgemaxxing/onetab_export.txt', 'tabular', { onetab_export: 3 }],
    ['mixed-knowledgemaxxing/saved_*.csv', 'tabular', { saved_comments: 1, saved_posts: 2 }],
    [
      'mixed-knowledgemaxxing/{Bookmarks,x_bookmarks_graphql.json}',
      'tabular',
      { Bookmarks: 1, x_bookmarks_graphql: 1 },
    ],
    ['mixed-knowledgemaxxing/substack_saved_api.json', 'tabular', { items: 2, substack_saved_api: 1 }],
    ['mixed-knowledgemaxxing/*.html', 'documents', { documents: 3 }],
    [
      'mixed-datamirror/{apple_appstore.csv,tiktok_userdata.json}',
      'tabular',
      { apple_appstore: 4, tiktok_userdata: 1 },
    ],
    ['bookmarks-wallabag/firefox-bookmarks.json', 'tabular', { children: 2 }],
    ['bookmarks-wallabag/{chrome-bookmarks,elcurator.json}', 'tabular', { 'chrome-bookmarks': 1, elcurator: 1 }],
    ['bookmarks-wallabag/wallabag-v1*.json', 'tabular', { 'wallabag-v': 2, 'wallabag-v1-read': 3 }],
    ['bookmarks-wallabag/ril_export.html', 'documents', { documents: 1 }],
    ['agents-agentsview/gemini/standard_session.json', 'tabular', { messages: 4 }],
    ['agents-agentsview/gemini/system_messages.json', 'tabular', { messages: 3 }],
    ['agents-agentsview/gemini/thinking_only.json', 'tabular', { messages: 2 }],
    ['agents-agentsview/gemini/tool_calls.json', 'tabular', { messages: 2 }],
    ['agents-ccusage/fixtures/**/*.jsonl', 'tabular', { chat: 5, 'session-alpha': 3 }],
    ['agents-ccusage/*.jsonl', 'tabular', { 'test-transcript': 4 }],
    ['apple-macos-ts/*.abcddb', 'tabular', { ZABCDRECORD: 7 }],
    ['apple-macos-ts/photos-library/database/*.sqlite', 'tabular', { ZASSET: 10, ZGENERICALBUM: 3 }],
    ['takeout-gtp-literals/Takeout/Keep/*.json', 'google-keep', { notes: 1, tasks: 2 }],
    ['takeout-gtp-literals/**/comments.csv', 'tabular', { comments: 4 }],
    ['takeout-gtp-literals/**/live chats.csv', 'tabular', { 'live-chats': 2 }],
    ['takeout-gtp-literals/**/{likes,Installs}.json', 'tabular', { likes: 1, Installs: 1 }],
    ['takeout-layout-gtp/HtmlTakeout/**/*.html', 'documents', { documents: 1 }],
    [
      'notes-misc-obsidian-importer/roam/*.json',
      'tabular',
      { 'help-graph-excerpt': 17, shapes: 12, 'small-test-graph': 1 },
    ],
    ['notes-misc-obsidian-importer/csv/*.csv', 'tabular', { 'comprehensive-test': 10, sample: 5 }],
    ['aichats-polylogue/tests/fixtures/hermes/archival_export/**/*.json', 'tabular', { messages: 6 }],
    ['aichats-polylogue/tests/fixtures/hermes/at{if,of}/*', 'tabular', { steps: 6 }],
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
  it('has no folder that no test is about', () => {
    const tests = globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((name) =>
      readFileSync(join(import.meta.dirname, name), 'utf8'),
    )
    const unknown = readdirSync(root).filter((folder) => !tests.some((text) => text.includes(folder)))
    expect(unknown).toEqual([])
  })
})

if (!here) it.skip('files of other kinds: needs PDPP_CORPORA, which holds import/', () => {})

// Files that others wrote, with the results that their authors expect. They are in `import/` below PDPP_CORPORA.
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type ImportInput, type ImportPlan, importers } from '@pdpp/importers'
import { describe, expect, it, onTestFinished } from 'vitest'

const corpora = process.env['PDPP_CORPORA'] ?? ''
const folder = join(corpora, 'import')
const here = corpora !== '' && existsSync(folder)
const [mail, tabular] = [importers.find(({ id }) => id === 'mail')!, importers.find(({ id }) => id === 'tabular')!]

/** Copies a file, because SQLite writes files next to a database and the collections must not change. */
function copyOf(path: string): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'pdpp-real-')), basename(path))
  copyFileSync(path, copy)
  onTestFinished(() => rmSync(dirname(copy), { recursive: true, force: true }))
  return copy
}

const input = (path: string): ImportInput => ({
  name: basename(path),
  databasePath: async () => copyOf(path),
  open: () => createReadStream(path) as AsyncIterable<Uint8Array>,
})

async function read(path: string, importer = mail) {
  const [plan] = await importer.streams({ format: '', inputs: [input(path)] }, {}, [])
  return items(plan!, importer)
}

async function items(plan: ImportPlan, importer = mail) {
  const records = []
  const problems = []
  for await (const item of importer.read(plan, { saw() {}, leftOut() {}, leftOutFile() {} })) {
    if ('record' in item) records.push(item.record)
    else problems.push(item.problem)
  }
  return { plan, records, problems }
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe.skipIf(!here)('mail that breaks parsers (import/eml-mime4j)', () => {
  const messages = here ? globSync('eml-mime4j/{core,dom,benchmark}/**/*.msg', { cwd: folder }) : []

  /** Parts that this importer shows differently: forwarded mails with their own headers, quirks of an old decoder. */
  const otherwise = new Set([
    'ak-0696_decoded_1_2_1.txt',
    'frag_decoded_1_2_1_2_1_2_1_2.bin',
    'german_decoded_1.txt',
    'malformedHeaderStartsBody-nocrlfcrlf_decoded_1.txt',
    'mp-msg-rfc822_decoded_1_2_1.txt',
    'multi-digest_decoded_1_2_1.txt',
    'multi-frag_decoded_1_3_2.bin',
    'multipartnestedemptyparts_decoded_1_1.txt',
    'twopart_decoded_1_1.txt',
  ])

  it('is read, every one of them', async () => {
    expect(messages.length).toBe(80)
    for (const path of messages) {
      const { records, problems } = await read(join(folder, path))
      expect([path, records.some(({ stream }) => stream === 'messages')]).toEqual([path, true])
      expect([path, problems.filter(({ kept }) => !kept)]).toEqual([path, []])
    }
  })

  it('has the files and the texts that are expected beside it', async () => {
    let checked = 0
    const missing: string[] = []
    for (const path of messages) {
      const { records } = await read(join(folder, path))
      const files = new Set(records.map(({ data }) => data['sha256']))
      const texts = records.map(({ data }) => flat(`${data['text'] ?? ''} ${data['extracted_text'] ?? ''}`))
      const parts = globSync(`${basename(path, '.msg')}_decoded_*.{bin,txt}`, { cwd: join(folder, dirname(path)) })
      for (const part of parts) {
        const file = join(folder, dirname(path), part)
        const expected = flat(readFileSync(file, 'utf8'))
        // Formatted text is shown as it reads, and bytes of other encodings are letters here.
        if (part.endsWith('.txt') && /^<|<bold>|<br>|\ufffd/.test(expected)) continue
        checked++
        const found = files.has(sha256(file)) || texts.some((text) => text.includes(expected))
        if (!found && !otherwise.has(part)) missing.push(part)
      }
    }
    expect(checked).toBeGreaterThan(110)
    expect(missing).toEqual([])
  })

  it('in an mbox of five gives the five', async () => {
    const path = join(folder, 'eml-mime4j/mbox/src/test/resources/test-1/mbox.rlug')
    const whole = (await read(path)).records.filter(({ stream }) => stream === 'messages')
    expect(whole).toHaveLength(5)
    for (const [at, { data }] of whole.entries()) {
      const [alone] = (await read(`${path}-${at}`)).records
      const { folder: _a, size_bytes: _b, ...expected } = alone!.data
      expect(data).toMatchObject(expected)
    }
  })
})

describe.skipIf(!here)('tables of other programs', () => {
  it.each([
    ['firefox', 'moz_historyvisits', 4],
    ['chrome', 'visits', 6],
    ['waterfox', 'moz_historyvisits', 2],
    ['chromium', 'visits', 1],
    ['brave', 'visits', 2],
    ['palemoon', 'moz_historyvisits', 8],
    ['safari', 'history_visits', 3],
    ['vivaldi', 'visits', 3],
    ['qutebrowser', 'History', 2],
    ['firefox_mobile', 'moz_historyvisits', 5],
    ['firefox_mobile_legacy', 'visits', 3],
  ])('visits of %s (import/browser-browserexport)', async (browser, stream, count) => {
    const { records, problems, plan } = await read(
      join(folder, 'browser-browserexport/tests/databases', `${browser}.sqlite`),
      tabular,
    )
    const visits = records.filter((record) => record.stream === stream)
    expect([visits.length, problems]).toEqual([count, []])
    const time = plan.declaration.streams.find(({ name }) => name === stream)!.consent_time_field!
    for (const { data } of visits) expect(String(data[time])).toMatch(/^20(1[89]|2\d)-/)
  })

  it('54,429 plays in six files are one stream (import/spotify-jonas-mika)', async () => {
    const paths = globSync('spotify-jonas-mika/data/StreamingHistory*.json', { cwd: folder }).sort()
    const plans = await tabular.streams(
      { format: 'json', inputs: paths.map((path) => input(join(folder, path))) },
      {},
      [],
    )
    expect(plans.map(({ match }) => match)).toEqual(['new', 'same', 'same', 'same', 'same', 'same'])
    let [plays, played] = [0, 0]
    const artists = new Set<unknown>()
    for (const plan of plans) {
      for (const { data } of (await items(plan, tabular)).records) {
        plays++
        played += data['msPlayed'] as number
        artists.add(data['artistName'])
      }
    }
    expect([plays, played, artists.size]).toEqual([54_429, 5_776_460_709, 2_169])
  })
})

if (!here) it.skip('needs PDPP_CORPORA, the folder that holds import/', () => {})

// Tables that others made, with what their authors make of them. PDPP_CORPORA names the folder that holds import/.
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseCopies, findFiles, recognise, type Skipped } from '@pdpp/importers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readExport } from '../src/run/importer-battery.fixture.ts'
import { MemoryDestination } from '../src/run/memory-destination.fixture.ts'
import { corpusFiles, corpusFolder, hasCorpus, readCorpus } from './corpus.ts'
import { importInto } from './import-into.ts'

type Row = Readonly<Record<string, any>>

async function rowsOf(pattern: string): Promise<Row[]> {
  const { records, coverage, items } = await readCorpus('tabular', pattern)
  const lost = items.flatMap((item) => ('problem' in item && !item.problem.kept ? [item.problem.reason] : []))
  expect([pattern, coverage.unexplained, lost]).toEqual([pattern, 0, []])
  // Numbers keep their digits until they are written.
  return records.map(({ data }) => JSON.parse(JSON.stringify(data)))
}

/** The dates and amounts of the statement that upstream makes of a table. */
function transactionsOf(path: string): { date: string; amount: number }[] {
  const text = readFileSync(join(corpusFolder, path), 'utf8')
  return [...text.matchAll(/<STMTTRN>([\s\S]*?)<\/STMTTRN>/g)].map(([, part]) => {
    const of = (name: string) => new RegExp(`<${name}>([^<\\s]*)`).exec(part!)![1]!
    const posted = of('DTPOSTED')
    return {
      date: `${posted.slice(0, 4)}-${posted.slice(4, 6)}-${posted.slice(6, 8)}`,
      amount: Math.abs(Number(of('TRNAMT'))),
    }
  })
}

describe.skipIf(!hasCorpus)('tables of banks, row by row (import/bankcsv-csv2ofx)', () => {
  /** The rows of each file. Upstream converts a part of some of them, and others into a form that lists no amounts. */
  const rows: Record<string, number> = {
    amazon: 7,
    capitalone: 2,
    creditunion: 8,
    default: 8,
    gls: 1,
    ingesp: 10,
    mint: 4,
    mint_extra: 5,
    mint_headerless: 4,
    'n26-fr': 2,
    outbank: 4,
    payoneer: 2,
    pcmastercard: 2,
    'schwab-checking': 4,
    'schwab-checking-baltest-case7': 2,
    'stripe-all': 5,
    'stripe-default': 5,
    'ubs-ch-fr_trimmed': 3,
    xero: 13,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`schwab-checking-baltest-case${at}`, 4])),
  }

  it('every file is one of these', () => {
    const names = globSync('bankcsv-csv2ofx/test/*.csv', { cwd: corpusFolder }).map((path) => basename(path, '.csv'))
    expect(names.toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  it.each(Object.entries(rows))('%s: %i rows, with the dates and amounts of upstream', async (name, count) => {
    const found = await rowsOf(`bankcsv-csv2ofx/test/${name}.csv`)
    expect(found).toHaveLength(count)
    const statement = `bankcsv-csv2ofx/converted/${name.replace('-fr', '')}.ofx`
    if (!existsSync(join(corpusFolder, statement))) return
    const missing = transactionsOf(statement).filter(({ date, amount }) => {
      // Upstream takes the first number of 08/04/2022 for the month, also in Spain.
      const dates = name === 'ingesp' ? [date, date.replace(/(\d\d)-(\d\d)$/, '$2-$1')] : [date]
      return !found.some((row) => {
        const values = Object.values(row)
        const hasDate = values.some((value) => typeof value === 'string' && dates.some((day) => value.startsWith(day)))
        return hasDate && values.some((value) => value !== null && Math.abs(Number(value)) === amount)
      })
    })
    expect(missing).toEqual([])
  })

  it('letters of gls.csv are right, although it is in Latin-1', async () => {
    const [row] = await rowsOf('bankcsv-csv2ofx/test/gls.csv')
    expect(Object.keys(row!)).toEqual(expect.arrayContaining(['Auftraggeber/Empfänger', 'Währung']))
    expect(row).toMatchObject({ Betrag: -98.76, Kontostand: 1234.56, Buchungstag: '2017-10-10' })
  })
})

describe.skipIf(!hasCorpus)('streams of Singer (import/singer-meltano)', () => {
  it('are tables of messages: each line of 20 files has its record', async () => {
    const files = corpusFiles('singer-meltano/singer_sdk/testing/target_test_streams/*.singer')
    expect(files).toHaveLength(20)
    for (const { name } of files) {
      const lines = readFileSync(join(corpusFolder, name), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line))
      const found = await rowsOf(name)
      // Two equal lines are one record, because repeating an import must change nothing.
      const different = new Set(lines.map((line) => JSON.stringify(line))).size
      expect([name, found.length]).toEqual([name, different])
      const kinds = (rows: readonly Row[]) => new Set(rows.map(({ type }) => type))
      expect([name, kinds(found)]).toEqual([name, kinds(lines)])
      const said = JSON.stringify(found)
      for (const { record } of lines)
        for (const value of Object.values(record ?? {}))
          if (typeof value === 'string') expect(said).toContain(JSON.stringify(value).slice(1, -1))
    }
  })

  it('in Parquet are refused by name', async () => {
    const copies = new DatabaseCopies(tmpdir())
    onTestFinished(() => copies.remove())
    const [skipped, failed]: [Skipped[], string[]] = [[], []]
    const fail = (_: string, error: unknown) => failed.push((error as Error).message)
    const path = join(corpusFolder, 'singer-meltano/tests/core/resources')
    await recognise(await findFiles([path], copies, fail), skipped, fail, new AbortController().signal)
    expect(skipped.map(({ reason }) => reason)).toEqual(['is a Parquet table: save it as CSV or JSON Lines'])
    expect(failed).toEqual([
      'resources/continents.parquet.gz is not packed with gzip.',
      'resources/countries.parquet.gz is not packed with gzip.',
    ])
  })
})

describe.skipIf(!hasCorpus)('JSON that is no list', () => {
  it('schemas become one record each, whole (import/location-schemas-lhf)', async () => {
    const files = corpusFiles('location-schemas-lhf/schemas/*.json')
    expect(files).toHaveLength(4)
    for (const { name } of files) {
      const schema = JSON.parse(readFileSync(join(corpusFolder, name), 'utf8'))
      const whole = (await rowsOf(name)).find((row) => row['$schema'] === schema.$schema)!
      expect(Object.keys(whole)).toEqual(
        expect.arrayContaining(Object.keys(schema).filter((key) => key !== 'examples')),
      )
    }
  })

  it('Android: 2 segments, 2 signals (import/location-kgeo-timeline)', async () => {
    const { records } = await readCorpus('tabular', 'location-kgeo-timeline/*.json')
    const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
    expect([of('semanticSegments').length, of('rawSignals').length]).toEqual([2, 2])
    const [profile] = of('test-data')
    expect((profile!['userLocationProfile'] as Row)['frequentPlaces']).toHaveLength(5)
    expect(JSON.stringify(records)).toMatch(/\d+\.\d+°, -?\d+\.\d+°/)
  })

  it('Google: 1 activity, 4 subtitles (import/takeout-gtp-literals)', async () => {
    const [activity, ...others] = await rowsOf('takeout-gtp-literals/Takeout/My Activity/**/*.json')
    expect([others.length, activity!['subtitles'].length, activity!['locationInfos'].length]).toEqual([0, 4, 1])
  })

  it('Instagram posts with 1, 5, 10 and 1 files (import/instagram-flock)', async () => {
    const media = async (folder: string) => {
      const rows = await rowsOf(`instagram-flock/${folder}/posts.json`)
      return rows.flatMap((row) => row['media'] as unknown[]).length
    }
    expect(await media('test_image')).toBe(1)
    expect(await media('test_images')).toBe(5)
    expect(await media('test_mixed_media')).toBe(10)
    expect(await media('test_video')).toBe(1)
  })

  it('Facebook posts, others, and a broken file (import/facebook-kawsay)', async () => {
    const posts = await rowsOf('facebook-kawsay/posts/your_posts_1.json')
    expect(posts).toHaveLength(4)
    expect(JSON.stringify(posts)).toContain('Feliz Año Nuevo 🎉')
    await expect(readCorpus('tabular', 'facebook-kawsay/posts/your_posts_2.json')).rejects.toMatchObject({
      refusal: { code: 'no_rows' },
    })
    expect(JSON.stringify(await rowsOf('facebook-kawsay/photos_and_videos/album/*.json'))).toContain('Mi abuela 👵')
  })

  it('a register of YNAB: 8 rows in 3 accounts (import/takeout-potluck)', async () => {
    const register = await rowsOf('takeout-potluck/ynab/*.csv')
    expect([register.length, new Set(register.map((row) => row['Account'])).size]).toEqual([8, 3])
  })
})

describe.skipIf(!hasCorpus)('a table that came before with other values (import/goodreads-jelu)', () => {
  it('1 book, then the same with changes: it is updated in place', async () => {
    const to = new MemoryDestination()
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-books-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'goodreads_library_export.csv')
    const counts = []
    for (const name of ['one_line', 'one_line_modified', 'one_line_modified']) {
      copyFileSync(join(corpusFolder, `goodreads-jelu/goodreads_library_export_${name}.csv`), path)
      const { unexplained: _, ...sum } = await importInto(to, [path])
      counts.push(sum)
    }
    expect(counts).toEqual([
      { new: 1, changed: 0 },
      { new: 0, changed: 1 },
      { new: 0, changed: 0 },
    ])
  })
})

describe.skipIf(!hasCorpus)('a photo and a text of Google Photos beside it (import/takeout-potluck)', () => {
  it('taken at midnight of 16 January 2024 in Miami, with 1 person', async () => {
    const { jpegWith } = await import('../src/formats/photo/exif.fixture.ts')
    const { memoryInput } = await import('../src/reading/memory-input.fixture.ts')
    const { importerNamed } = await import('./corpus.ts')
    const [sidecar] = corpusFiles('takeout-potluck/Google Photos/**/*.json')
    const photo = memoryInput(sidecar!.name.replace(/\.json$/, ''), jpegWith({}))
    const { records } = await readExport(importerNamed('photos'), [photo, sidecar!])
    const { data } = records.find(({ stream }) => stream === 'photos')!
    expect(data).toMatchObject({ taken_at: '2024-01-16T00:00:00Z', latitude: 25.7617, longitude: -80.1918 })
    expect(data['people']).toHaveLength(1)
  })
})

if (!hasCorpus) it.skip('tables of others: needs PDPP_CORPORA, the folder that holds import/', () => {})

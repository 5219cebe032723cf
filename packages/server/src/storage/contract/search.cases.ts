import { permitsRecord, requireDeclaration, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repetitions } from '../../../../../tests/fixtures/repetitions.ts'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { enforce } from '../../grants/enforce.ts'
import { includesField } from '../../grants/read-scope.ts'
import { abortSourceOf, RequestSignal } from '../../lib/request-signal.ts'
import type { RankPosition } from '../../search/ranking/scoring/top-ranks.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { clientOf, declaration, remove, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

/** No word is a form of another one, so that a record either has a word or not. */
const WORDS = ['gull', 'lamp', 'tide', 'rope', 'salt', 'fog', 'oar', 'reef']
const CONNECTIONS = ['home', 'work']
/** Larger than the records that a search keeps in memory. */
const LONG = ' fog'.repeat(20_000)
const page = (text: string) => ({ text, limit: 1000 })
const day = (n: number) => `2026-01-0${n + 1}T00:00:00Z`

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
const step = fc.record({
  connection: fc.constantFrom(...CONNECTIONS),
  id: fc.integer({ min: 0, max: 15 }).map((n) => `k${n}`),
  day: fc.integer({ min: 0, max: 5 }),
  title: text,
  secret: text,
  isDeleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})
const grant: fc.Arbitrary<Partial<StreamGrant>> = fc.record(
  {
    fields: fc.constantFrom(['id', 'at', 'title'], ['id', 'at', 'title', 'secret'], ['id', 'at', 'secret']),
    time_constraint: fc.record({ field: fc.constant('at'), since: fc.integer({ min: 0, max: 3 }).map(day) }),
    resources: fc.constantFrom(['k1', 'k2', 'k3'], ['k5']),
  },
  { requiredKeys: ['fields'] },
)
const query = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  without: fc.option(fc.constantFrom(...WORDS), { nil: undefined }),
})

export function searchCases(open: OpenStorage): void {
  describe('search', () => {
    it('finds exactly the visible records with a word, best matches first', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 50 }), grant, query, async (steps, granted, searched) => {
          const storage = await open()
          await agree(storage, steps, granted, searched)
          await storage.close()
        }),
        { numRuns: repetitions(12, 40), seed: 3 },
      )
    }, 300_000)

    verifies('checklist 19', 'stops for a caller who has gone or has waited too long', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      await storage.writer.write(target('home'), [upsert({ id: 'k1', at: day(1), title: 'gull rope' })])
      const targets = [{ scope: scopeFor(CONNECTIONS), fields: ['title'], conditions: [] }]
      const search = (signal: RequestSignal) => storage.search.search(targets, page('gull'), signal)
      const present = abortSourceOf(new AbortController().signal)
      expect((await search(new RequestSignal(present, 30_000))).found).toHaveLength(1)
      for (const signal of [
        new RequestSignal(abortSourceOf(AbortSignal.abort()), 30_000),
        new RequestSignal(present, 0),
      ])
        await expect(search(signal)).rejects.toMatchObject({ code: 'request_timeout' })
      await storage.close()
    })

    it('sees new, changed and deleted records inside limits', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const limits = { time_constraint: { field: 'at', since: day(2) } }
      const mood = { field: 'mood', operator: 'eq', value: 'calm' } as const
      const keys = async (conditions: readonly (typeof mood)[] = []) => {
        const targets = [{ scope: scopeFor(CONNECTIONS, limits), fields: ['title'], conditions }]
        const { found, total } = await storage.search.search(targets, page('gull'))
        expect(total).toBe(found.length)
        return found.map(({ key }) => key).toSorted()
      }
      const write = (id: string, at: number, members: object = {}) =>
        storage.writer.write(target('home'), [upsert({ id, at: day(at), title: 'gull', ...members })])
      await write('k1', 1)
      await write('k2', 2, { mood: 'calm' })
      expect([await keys(), await keys([mood])]).toEqual([['k2'], ['k2']])
      await write('k3', 3)
      expect([await keys(), await keys([mood])]).toEqual([['k2', 'k3'], ['k2']])
      await write('k1', 4, { mood: 'calm' })
      await write('k2', 0, { mood: 'calm' })
      expect([await keys(), await keys([mood])]).toEqual([['k1', 'k3'], ['k1']])
      await storage.writer.write(target('home'), [remove('k1')])
      expect([await keys(), await keys([mood])]).toEqual([['k3'], []])
      await storage.close()
    })

    it('ranks and shows large records like small ones', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const entry = (id: string, n: number, title: string) => upsert({ id, at: day(n), title })
      await storage.writer.write(target('home'), [
        entry('k1', 1, `rope ${LONG}`),
        entry('k2', 2, `gull rope ${LONG}`),
        entry('k3', 3, 'gull rope'),
        entry('k4', 4, `gull ${LONG} rope`),
      ])
      const targets = [{ scope: scopeFor(CONNECTIONS), fields: ['title'], conditions: [] }]
      for (const searched of ['gull', 'gull rope', 'gull rope -reef']) {
        const { found } = await storage.search.search(targets, page(searched))
        const keys = found.map(({ key }) => key)
        expect(keys[0], searched).toBe('k3')
        expect(keys.toSorted()).toEqual(searched === 'gull' ? ['k2', 'k3', 'k4'] : ['k1', 'k2', 'k3', 'k4'])
        for (const { excerpts } of found) expect(excerpts[0]!.preview_text).toMatch(/<mark>(gull|rope)/)
      }
      await storage.close()
    })

    it('goes on after a hit up to the last match, whatever was written', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const rows = Array.from({ length: 260 }, (_, n) =>
        upsert({ id: `k${n}`, at: day(n % 6), title: `${'gull '.repeat(1 + (n % 3))}${n % 2 ? 'rope' : 'salt tide'}` }),
      )
      for (let at = 0; at < rows.length; at += 90) await storage.writer.write(target('home'), rows.slice(at, at + 90))
      const targets = [{ scope: scopeFor(CONNECTIONS), fields: ['title'], conditions: [] }]
      for (const text of ['gull', 'gull rope']) {
        const whole = await storage.search.search(targets, { text, limit: 1000 })
        const keys: string[] = []
        for (let after: RankPosition | undefined, hasMore = true; hasMore; ) {
          const next = await storage.search.search(targets, { text, limit: 37, after })
          keys.push(...next.found.map(({ key }) => key))
          after = next.found.at(-1)?.position
          hasMore = next.hasMore
          await storage.writer.write(target('work'), [upsert({ id: `w${keys.length}`, title: 'fog' })])
        }
        expect([new Set(keys).size, whole.total], text).toEqual([260, 260])
        expect(whole.found).toHaveLength(260)
      }
      await storage.close()
    })

    it('goes on after a hit that was deleted, and when better ones came', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const rows = Array.from({ length: 240 }, (_, n) =>
        upsert({ id: `k${n}`, at: day(n % 6), title: `gull rope ${n}` }),
      )
      await storage.writer.write(target('home'), rows)
      const targets = [{ scope: scopeFor(CONNECTIONS), fields: ['title'], conditions: [] }]
      for (const text of ['gull', 'gull rope']) {
        const keys: string[] = []
        for (let after: RankPosition | undefined, hasMore = true; hasMore; ) {
          const next = await storage.search.search(targets, { text, limit: 60, after })
          keys.push(...next.found.map(({ key }) => key))
          after = next.found.at(-1)?.position
          hasMore = next.hasMore
          await storage.writer.write(target('home'), [
            remove(keys.at(-1)!),
            upsert({ id: `new${keys.length}`, title: 'gull rope' }),
          ])
        }
        expect(keys.length, text).toBeGreaterThan(200)
      }
      await storage.close()
    })

    it('finds a phrase however often its words stand before it', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const title = (times: number) => `${'fog lamp '.repeat(times)} fog reef`
      const rows = [254, 255, 256, 400].map((times) => upsert({ id: `k${times}`, at: day(1), title: title(times) }))
      await storage.writer.write(target('home'), rows)
      const targets = [{ scope: scopeFor(CONNECTIONS), fields: ['title'], conditions: [] }]
      expect((await storage.search.search(targets, page('"fog reef"'))).total).toBe(4)
      expect((await storage.search.search(targets, page('lamp -"fog reef"'))).total).toBe(0)
      await storage.close()
    })

    it('tells nothing of feeds with hidden records only', async () => {
      const answers = []
      for (const isFirst of [false, true]) {
        const storage = await open()
        await seed(storage, CONNECTIONS)
        const hidden = [upsert({ id: 'h', at: day(0), title: 'gull' })]
        if (isFirst) await storage.writer.write(target('work'), hidden)
        for (const connection of CONNECTIONS)
          await storage.writer.write(target(connection), [upsert({ id: connection, at: day(3), title: 'gull' })])
        const limits = { time_constraint: { field: 'at', since: day(2) } }
        const targets = [{ scope: scopeFor([...CONNECTIONS, 'none'], limits), fields: ['title'], conditions: [] }]
        const { found, feeds } = await storage.search.search(targets, page('gull'))
        answers.push([found.map(({ key }) => key), feeds])
        await storage.close()
      }
      expect(answers[1]).toEqual(answers[0])
    })

    it('tells nothing of hidden records if no record is visible', async () => {
      const answers = []
      for (const hasHidden of [false, true]) {
        const storage = await open()
        await seed(storage, CONNECTIONS)
        if (hasHidden) await storage.writer.write(target('home'), [upsert({ id: 'h', at: day(0), title: 'gull' })])
        const limits = { time_constraint: { field: 'at', since: day(2) } }
        const targets = [{ scope: scopeFor(CONNECTIONS, limits), fields: ['title'], conditions: [] }]
        for (const asked of [
          'gull rope',
          'the',
          'what did "the gull" say about title:fog',
          '-gull',
          '"',
          '東',
          'how much',
        ])
          answers.push(await storage.search.search(targets, page(asked)))
        await storage.close()
      }
      const half = answers.length / 2
      expect(answers.slice(half)).toEqual(answers.slice(0, half))
      expect(answers[0]!.wordCounts).toEqual(['gull', 'rope'].map((word) => ({ word, records: 0 })))
    })

    it('shows a hit in the same way, however long its hidden text is', async () => {
      const answers = []
      for (const secret of ['', LONG]) {
        const storage = await open()
        await seed(storage, CONNECTIONS)
        const records = ['gull rope', `gull ${'tide '.repeat(400)}rope`].map((title, n) =>
          upsert({ id: `k${n}`, at: day(n), title, secret }),
        )
        await storage.writer.write(target('home'), records)
        const scope = scopeFor(CONNECTIONS, { fields: ['id', 'at', 'title'] })
        const { found } = await storage.search.search([{ scope, fields: ['title'], conditions: [] }], page('gull rope'))
        answers.push(found.map(({ key, label, tier, excerpts }) => ({ key, label, tier, excerpts })))
        await storage.close()
      }
      expect(answers[1]).toEqual(answers[0])
      expect(answers[0]).toHaveLength(2)
    })

    it('finds records by the granted texts of a list, and shows them', async () => {
      const labelled = structuredClone(declaration)
      const [entries] = labelled.streams
      Object.assign(entries!.schema['properties'] as object, { labels: { type: 'array', items: { type: 'string' } } })
      entries!.query!.search!.lexical_fields!.push('labels')
      const storage = await open()
      await seed(storage, ['home'])
      await storage.sources.declare(SUBJECT, requireDeclaration({ ...labelled, declaration_version: '2' }))
      await storage.writer.write(target('home'), [
        upsert({ id: 'k1', at: day(1), title: 'rope', labels: ['sea', 'night watch', 7] }),
        upsert({ id: 'k2', at: day(2), title: 'gull', labels: null }),
      ])
      const searchWith = async (fields: readonly string[], asked: string) => {
        const stream = { name: 'entries', instance_ids: ['home'], fields: ['id', 'at', ...fields] }
        const source = { declaration: labelled, connections: ['home'] }
        const scope = enforce(clientOf(labelled, stream), source, 'entries', {})
        return storage.search.search([{ scope, fields, conditions: [] }], page(asked))
      }
      const { found, total } = await searchWith(['title', 'labels'], 'watch')
      expect([total, found.map(({ key }) => key)]).toEqual([1, ['k1']])
      const [hit] = found
      expect(hit!.excerpts.map(({ field_path, preview_text }) => [field_path, preview_text])).toEqual([
        ['labels', '["sea","night <mark>watch</mark>",7]'],
      ])
      expect(hit!.label.title).toBe('rope')
      expect((await searchWith(['title', 'labels'], 'labels:sea gull')).found.map(({ key }) => key)).toEqual(['k1'])
      expect((await searchWith(['title'], 'watch sea')).total).toBe(0)
      const totals = ['"night watch"', '"sea night"', 'labels:"sea night"'].map((asked) =>
        searchWith(['title', 'labels'], asked),
      )
      // Two texts of a list are no phrase.
      expect((await Promise.all(totals)).map(({ total }) => total)).toEqual([1, 0, 0])
      await storage.close()
    })

    it('finds nothing by a hidden field if the source is redeclared meanwhile', async () => {
      const fields = declaration.streams[0]!.query!.search!.lexical_fields!
      const other = structuredClone(declaration)
      Object.assign(other.streams[0]!.query!, { search: { lexical_fields: fields.toReversed() } })
      let happened = 0
      for (let moment = 0; moment < 12; moment++) {
        const storage = await open()
        await seed(storage, ['home'])
        await storage.writer.write(target('home'), [upsert({ id: 'k1', at: day(2), title: 'rope', secret: 'gull' })])
        const targets = [{ scope: scopeFor(['home'], {}), fields: ['title'], conditions: [] }]
        let looks = 0
        let declared: Promise<unknown> | undefined
        const isAborted = () => {
          if (looks++ === moment)
            declared = storage.sources
              .declare(SUBJECT, { ...other, declaration_version: '2' })
              .then(() => storage.writer.resume())
          return false
        }
        const signal = new RequestSignal({ isAborted, onAbort: () => () => {} }, 300_000)
        expect((await storage.search.search(targets, page('gull'), signal)).found).toEqual([])
        if (declared !== undefined) happened++
        await declared
        await storage.close()
      }
      expect(happened).toBeGreaterThan(0)
    })

    it('ranks every match, even if many or old', async () => {
      const storage = await open()
      await seed(storage, CONNECTIONS)
      const filler = 'rope salt tide '.repeat(10)
      const texts = [
        'gull',
        'gull gull rope',
        ...Array.from({ length: 1900 }, (_, n) => `${filler} ${n % 4 ? 'fog' : 'gull'} ${filler}`),
      ]
      const rows = texts.map((title, n) =>
        upsert({ id: `k${n}`, at: day(n % 6), title, secret: 'gull '.repeat(n % 7) }),
      )
      await storage.writer.write(target('home'), rows)
      await storage.writer.write(target('home'), [remove('k5'), upsert({ id: 'k900', at: day(0), title: 'gull oar' })])
      const find = async (granted: Partial<StreamGrant>, text: string) => {
        const targets = [{ scope: scopeFor(CONNECTIONS, granted), fields: ['title'], conditions: [] }]
        const { found } = await storage.search.search(targets, { text, limit: 3 })
        return found.map(({ key }) => key)
      }
      const fields = ['id', 'at', 'title']
      // Shorter texts come first, even if they are old. Words in the hidden field do not count.
      expect(await find({ fields }, 'gull')).toEqual(['k1', 'k0', 'k900'])
      const since = { time_constraint: { field: 'at', since: day(1) } }
      expect((await find({ fields, ...since }, 'gull'))[0]).toBe('k1')
      await storage.close()
    })
  })
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function agree(
  storage: Storage,
  steps: readonly Step[],
  granted: Partial<StreamGrant>,
  searched: { words: string[]; without: string | undefined },
) {
  await seed(storage, CONNECTIONS)
  const model = new Map<string, Step>()
  for (const action of steps) {
    const { connection, id, title, secret } = action
    await storage.writer.write(target(connection), [
      action.isDeleted ? remove(id) : upsert({ id, at: day(action.day), title, secret }),
    ])
    if (action.isDeleted) model.delete(`${connection}/${id}`)
    else model.set(`${connection}/${id}`, action)
  }
  const scope = scopeFor(CONNECTIONS, granted)
  const fields = (['title', 'secret'] as const).filter((field) => includesField(scope.usable, field))
  const limits = { name: 'entries', instance_ids: CONNECTIONS, ...granted } as StreamGrant
  const wordsOf = (entry: Step) => new Set(fields.flatMap((field) => entry[field].split(' ')))
  const text = [...searched.words, ...(searched.without === undefined ? [] : [`-${searched.without}`])].join(' ')
  const matching = [...model].filter(([, entry]) => {
    const words = wordsOf(entry)
    const visible = permitsRecord(limits, { connectionId: entry.connection, key: entry.id, time: day(entry.day) })
    return (
      visible &&
      searched.words.some((word) => words.has(word)) &&
      !(searched.without !== undefined && words.has(searched.without))
    )
  })
  const targets = [{ scope, fields, conditions: [] }]
  const { found, total, hasMore } = await storage.search.search(targets, page(text))
  const names = found.map(({ connectionId, key }) => `${connectionId}/${key}`)
  expect(names.toSorted()).toEqual(matching.map(([name]) => name).toSorted())
  expect([total, hasMore]).toEqual([matching.length, false])
  for (const { connectionId, key, tier } of found) {
    const words = wordsOf(model.get(`${connectionId}/${key}`)!)
    expect(tier === 2).toBe(searched.words.every((word) => words.has(word)))
  }
}

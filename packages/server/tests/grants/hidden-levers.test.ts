// Tests every lever of the ranking: if a grant hides the data that a lever uses, no byte of any answer changes.
import { expect } from 'vitest'
import { declaration, key, searched, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { conversation, FIELDS, minute, type Said, searchTool } from '../search/conversation.fixture.ts'

interface Hiding {
  readonly lever: string
  /** Worlds that differ only in data that the grant hides. */
  readonly worlds: readonly (readonly Said[])[]
  readonly grant: object
  readonly queries: readonly string[]
  /** Fields of each world in addition to the usual ones. */
  readonly more?: readonly Record<string, ReturnType<typeof searched>>[]
}

const HIDDEN = 12
/** The first twelve records are too old for the grant. */
const recent = { streams: [{ name: 'messages' }], since: minute(HIDDEN) }
/** Only the usual fields, without these. */
const without = (...names: string[]) => ({
  streams: [{ name: 'messages', fields: FIELDS.filter((field) => !names.includes(field)) }],
})
const filler = (from: number, count: number): Said[] =>
  Array.from({ length: count }, (_, n) => ({ id: `w${from + n}` }))
/** Twelve old records. The first of them have these texts. */
const old = (...texts: string[]): Said[] => [
  ...texts.map((said, n) => ({ id: `o${n}`, text: said })),
  ...filler(texts.length, HIDDEN - texts.length),
]
/** Worlds that differ only in old records. */
const older = (visible: readonly Said[], ...hidden: readonly string[][]) =>
  hidden.map((texts) => [...old(...texts), ...visible, ...filler(40, 6)])

const said = (...texts: string[]): Said[] => texts.map((one, n) => ({ id: `v${n}`, text: one }))
/** Three old records about ferries, of these days of February. */
const dated = (...days: number[]): Said[] => [
  ...days.map((day, n) => ({ id: `o${n}`, text: 'The ferry left', sent_at: `2026-02-0${day}T09:00:00Z` })),
  ...filler(0, HIDDEN - days.length),
]
const tags = { ...searched(), schema: { type: 'array', items: text() } }

const HIDINGS: readonly Hiding[] = [
  {
    lever: 'near and far neighbours',
    worlds: [
      [...old('Weather'), ...said('Weather', 'The zeppelin lands'), ...filler(40, 6)],
      [...filler(0, HIDDEN - 2), { id: 'o', text: 'Anchor chain' }, { id: 'p', text: 'Anchor' }],
      [...filler(0, HIDDEN - 9), { id: 'o', text: 'Anchor anchor chain' }, ...filler(20, 8)],
    ].map((world, n) => (n === 0 ? world : [...world, ...said('Weather', 'The zeppelin lands'), ...filler(40, 6)])),
    grant: recent,
    queries: ['where does the zeppelin drop its anchor', 'zeppelin anchor'],
  },
  {
    lever: 'when',
    worlds: [dated(1, 2, 3), dated(5, 5, 6), dated(9, 8, 1)].map((hidden) => [
      ...hidden,
      ...said('Ferry day', 'The ferry left late'),
      ...filler(40, 3),
    ]),
    grant: recent,
    queries: ['ferry on 5 February', 'ferry in March 2026', 'ferry on 9 February 2026'],
  },
  {
    lever: 'forms, and the nearest words of a missing one',
    worlds: older(said('A ferry', 'Lamp'), ['Weather'], ['Ferries, camping, camped'], ['ferry '.repeat(30), 'campers']),
    grant: recent,
    queries: ['ferries', 'ferry', 'camps lamp', 'campsite', 'went ferry'],
  },
  {
    lever: 'exact forms first',
    worlds: older(said('Ferries', `${'sand '.repeat(200)} ferry`), ['Weather'], ['ferry'], ['ferried '.repeat(40)]),
    grant: recent,
    queries: ['ferry', 'ferries'],
  },
  {
    lever: 'alike records',
    worlds: older(
      said(...[1, 2, 3, 4, 5].map((n) => `Ferry tickets, order ${n}`), 'Tickets for the last boat, a ferry'),
      ['Weather'],
      [1, 2, 3, 4, 5, 6].map((n) => `Ferry tickets, order 2${n}`),
    ),
    grant: recent,
    queries: ['ferry tickets', 'where are the ferry tickets'],
  },
  {
    lever: 'copies of about the same length',
    worlds: [
      ['', ''],
      ['rain', 'rain and wind and hail and snow'],
      ['rain and fog', 'sun'],
    ].map(([first, second]) => [
      { id: 'q', text: 'Ferry tickets, order one', note: first! },
      { id: 'r', text: 'Ferry tickets, order two', note: second! },
      { id: 's', text: 'Tickets for the last boat, a ferry' },
      ...filler(0, 4),
    ]),
    more: [{ note: searched() }, { note: searched() }, { note: searched() }],
    grant: without(),
    queries: ['ferry tickets', 'ferry tickets rain'],
  },
  {
    lever: 'the least value of a word in a long text',
    worlds: older(
      said('Lamp, ferries', `${'sand '.repeat(3000)} lamp and ferry`),
      ['Weather'],
      ['ferry lamp'],
      [`${'reed '.repeat(5000)} ferry`, 'lamp'],
    ),
    grant: recent,
    queries: ['lamp ferry', 'where is the lamp of the ferry'],
  },
  {
    lever: 'ids and their beginnings',
    worlds: older(
      said('Ferry 3f2a91c0-4711-4abc-9def-0123456789ab', 'Ferry 4711'),
      ['Weather'],
      ['3f2a91c0-4711-4abc-9def-0123456789ac', '4711'],
      ['3f2a91c04711', '4711 4711', '3f2a91c0'],
    ),
    grant: recent,
    queries: ['3f2a91c0', 'ferry 4711', '3f2a91c0-4711-4abc-9def-0123456789ab'],
  },
  {
    lever: 'lists of texts',
    worlds: [['harbour', 'ferry'], ['lamp'], []].map((list) => [
      { id: 'q', text: 'A lamp', tags: list },
      { id: 'r', text: 'The ferry', tags: ['pier', ...list] },
      ...filler(0, 4),
    ]),
    more: [{ tags }, { tags }, { tags }],
    grant: without(),
    queries: ['harbour', 'ferry lamp', 'pier ferry'],
  },
  {
    lever: 'quotes in a sentence',
    worlds: older(said('Blue lamp', 'The ferry'), ['Weather'], ['The blue ferry'], ['blue ferry', 'Blue ferry pass']),
    grant: recent,
    queries: ['where is the "blue ferry" now', '"blue ferry"', 'the "ferry"'],
  },
  {
    lever: 'currencies',
    worlds: older(
      said('Ferry 12 euros', 'The ferry'),
      ['Weather'],
      ['Ferry 15 euros', 'dollars'],
      ['Ferry: euro, euro, euro'],
    ),
    grant: recent,
    queries: ['how much did the ferry cost', 'price of the ferry'],
  },
  {
    lever: 'two words written as one',
    worlds: older(said('Ferryticket', 'The ferry'), ['Weather'], ['ferrytickets', 'Ferryticketing'], ['ticket']),
    grant: recent,
    queries: ['ferry ticket', 'where is my ferry ticket', 'ferry tick'],
  },
  {
    lever: 'phrases and nearness',
    worlds: ['blue ferry', 'ferry of the blue coast'].map((note) => [
      { id: 'q', text: 'The ferry, and blue sky', note },
      { id: 'r', text: 'Blue ferry', note },
      ...filler(0, 4),
    ]),
    more: [{ note: searched() }, { note: searched() }],
    grant: without(),
    queries: ['blue ferry', '"blue ferry"', 'blue ferry coast'],
  },
  {
    lever: 'who',
    worlds: ['Wanda', 'Tomas'].map((author) => [
      { id: 'q', text: 'Thanks, Wanda!', author },
      { id: 'r', text: 'The ferry', author },
      ...filler(0, 4),
    ]),
    grant: without('author'),
    queries: ['Wanda', 'what did Wanda say about the ferry'],
  },
]

async function told({ worlds, queries, more }: Hiding, world: number, grant: object): Promise<string[]> {
  const test = await conversation(worlds[world]!, more?.[world])
  const { get, token, grantId } = await test.grant({ connections: ['chat'], ...grant })
  const texts: string[] = []
  for (const query of queries) {
    for (const rest of ['', '&count=exact&limit=3', '&highlight=false&urls=false&made_titles=false'])
      texts.push((await get(`/v1/search?q=${encodeURIComponent(query)}${rest}`)).text)
    const { text: shown, structured } = await searchTool(test, token, { query, limit: 20 })
    texts.push(shown, JSON.stringify(structured))
  }
  return texts.map((one) =>
    one.replaceAll(grantId, 'GRANT').replaceAll(/(?<![\w-])[\w-]{38,}(?![\w-])/g, ({ length }) => `<sealed ${length}>`),
  )
}

verifies.each(['checklist 16', 'point 41'], HIDINGS)('hidden from $lever', async (hiding) => {
  const all = (grant: object) => Promise.all(hiding.worlds.map((_, world) => told(hiding, world, grant)))
  const [first, ...others] = await all(hiding.grant)
  expect(first!.some((one) => one.includes('chat/messages:'))).toBe(true)
  for (const other of others) expect(other).toEqual(first)
  // The hidden part really makes a difference: a grant that shows it gets other answers.
  const [shown, ...shownToo] = await all({})
  for (const other of shownToo) expect(other).not.toEqual(shown)
})

verifies(['checklist 16', 'point 41'], 'hidden from names of fields', async () => {
  const letters = stream({ id: key(), text: searched(), sent_at: time() }, { semantics: 'append_only' })
  const world = async (name: string, fields: string[]) => {
    const test = await testServer({ publicUrl: 'https://data.example.org' })
    const contacts = stream({ id: key(), text: searched(), sent_at: time(), [name]: text() })
    await test.owner('POST', '/connectors', declaration('book', { contacts, letters }))
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'book', connection_id: 'book' })
    const record = (id: string, n: number) => ({ key: id, data: { id, text: 'Wanda', sent_at: minute(n) } })
    await test.ingest('contacts', 'book', [record('c', 1)])
    await test.ingest('letters', 'book', [record('l', 2)])
    const { get } = await test.grant({
      connections: ['book'],
      streams: [{ name: 'contacts', fields }, { name: 'letters' }],
    })
    const { body } = await get('/v1/search?q=phone+number+of+Wanda')
    return body.data.map(({ id }: { id: string }) => id)
  }
  const usual = ['id', 'text', 'sent_at']
  expect(await world('phone', usual)).toEqual(await world('fax', usual))
  // A grant that shows the field finds the contact first.
  expect([await world('phone', [...usual, 'phone']), await world('fax', [...usual, 'fax'])]).toEqual([
    ['book/contacts:c', 'book/letters:l'],
    ['book/letters:l', 'book/contacts:c'],
  ])
})

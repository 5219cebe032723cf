import { expect, it } from 'vitest'
import { at, mailServer, message, messages, type TestServer } from './support.ts'

/** The same forty records in reach, among sixty older ones that are not: short and silent, or long and full of the words. */
async function storms(loud: boolean): Promise<TestServer> {
  const test = await mailServer({ publicUrl: 'https://data.example.org' })
  const hidden = Array.from({ length: 60 }, (_, n) =>
    message(n, {
      subject: loud ? 'Storm harbour herring' : 'Calm',
      body: loud ? 'harbour storm herring sea '.repeat(1 + n * 3) : 'calm',
    }),
  )
  const shown = Array.from({ length: 40 }, (_, n) =>
    message(100 + n, {
      subject: n % 5 === 0 ? 'Harbour news' : `Report ${n % 3 === 0 ? 'storm' : 'fair'}`,
      body: `${'filler text '.repeat((n * 7) % 23)}${n % 2 ? 'storm at the harbour' : 'the herring came'} ${'more '.repeat((n * 11) % 17)}`,
    }),
  )
  await test.ingest('messages', 'home', hidden)
  await test.ingest('messages', 'home', shown)
  return test
}

it('gives the same bytes whatever records outside the grant hold', async () => {
  const answers = [false, true].map(async (loud) => {
    const test = await storms(loud)
    const { get, grantId } = await test.grant({
      connections: ['home'],
      streams: [{ name: 'messages' }],
      since: at(100),
    })
    const texts: string[] = []
    for (const query of [
      'storm',
      'harbour storm',
      'herring sea',
      '"storm at"',
      'what about the storm',
      'har',
      'calm -x',
    ])
      for (const rest of ['', '&count=exact&limit=5', '&count=estimated&highlight=false&urls=false&result_bytes=5000'])
        texts.push((await get(`/v1/search?q=${encodeURIComponent(query)}${rest}`)).text)
    for (const path of [
      '/v1/schema?view=compact&stream=messages',
      '/v1/streams/messages/aggregate?metric=count',
      '/v1/streams/messages/records?limit=50&count=exact&filter[sender]=s1',
      '/v1/streams/messages/records?around=m100&limit=5',
    ])
      texts.push((await get(path)).text)
    return texts.map((text) =>
      text
        .replaceAll(grantId, 'GRANT')
        .replaceAll(/cli_\w+/g, 'CLIENT')
        .replaceAll(/"(next|previous)_cursor":"[^"]+"|cursor=[\w-]+/g, ''),
    )
  })
  expect((await answers[0]!).some((text) => text.includes('"value":40}'))).toBe(true)
  expect(await answers[1]).toEqual(await answers[0])
})

it('checklist 16: cursors have one length, however many records were hidden before those in reach', async () => {
  const lengths = [0, 1500].map(async (hidden) => {
    const test = await mailServer()
    if (hidden > 0) await test.ingest('messages', 'work', messages(hidden))
    // In the same connection too, and of the same stream.
    if (hidden > 0) await test.ingest('messages', 'home', messages(hidden))
    await test.ingest('messages', 'home', messages(20, 2000))
    const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], since: at(2000) })
    const found: number[] = []
    for (const query of [
      'limit=5',
      'limit=5&order=asc',
      'limit=5&filter[size][gte]=10',
      'changes_since=beginning&limit=5',
    ]) {
      const { body } = await get(`/v1/streams/messages/records?${query}`)
      found.push(body.next_cursor.length)
    }
    const { body } = await get('/v1/streams/messages/records?changes_since=beginning&limit=100')
    return [...found, body.next_changes_since.length]
  })
  expect(await lengths[1]).toEqual(await lengths[0])
})

import { expect, it } from 'vitest'
import { at, mailServer, message, type TestServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

/**
 * Worlds with the same forty visible records and sixty older hidden ones. The hidden texts are short and without the
 * words, or long and full of them.
 */
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
      for (const rest of [
        '',
        '&count=exact&limit=5',
        '&count=estimated&highlight=false&urls=false&made_titles=false&result_bytes=5000',
      ])
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

verifies('checklist 16', 'a cursor is as long, whatever is hidden before it', async () => {
  const lengths = [2, 1500].map(async (count) => {
    const test = await mailServer()
    const hidden = Array.from({ length: count }, (_, n) => ({
      ...message(n, { id: `h${n}`, sent_at: at(1) }),
      key: `h${n}`,
    }))
    const shown = Array.from({ length: 6 }, (_, n) => message(100 + n))
    for (const rows of [hidden, shown])
      expect((await test.ingest('messages', 'home', rows)).body.records_rejected).toBe(0)
    const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], since: at(100) })
    const pages = ['limit=2', 'limit=2&sort=-sent_at', 'around=m103&limit=3', 'changes_since=beginning&limit=2'].map(
      async (query) => (await get(`/v1/streams/messages/records?${query}`)).body,
    )
    return (await Promise.all(pages)).map(({ data, next_cursor, previous_cursor }) => [
      data.length,
      next_cursor.length,
      previous_cursor?.length,
    ])
  })
  expect(await lengths[1]).toEqual(await lengths[0])
})

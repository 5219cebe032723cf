// The owner grants exactly what the page shows: choosing sources, and narrowing a request.
import { describe, expect, test, vi } from 'vitest'
import { at, mailDeclaration, message } from '../../../../tests/fixtures/server.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { asking, consentServer, give, HEALTH, look, lookAt, MAIL, sum, words } from './consent.fixture.ts'
import { ask } from './oauth-flow.ts'

const home = (form: ShownForm) => form.tick('connection/mail', 'home').tick('stream/mail', 'messages')

describe('where nothing was named the owner chooses', () => {
  test('the page lists sources and streams with nothing ticked', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const page = await server.browser.get(consent)
    const form = new ShownForm(page.text, consent)
    expect(form.values('connection/mail', { all: true })).toEqual(['home', 'work'])
    expect(form.values('stream/mail', { all: true })).toEqual(['messages', 'labels'])
    expect([...form.values('stream/mail'), ...form.values('stream/health'), ...form.values('connection/mail')]).toEqual(
      [],
    )
    expect(words(page)).toContain('Clinic Sensitive visits 4')
    expect(words(page)).toContain('messages 8')
    expect(sum(page)).toBe('Tick at least one source.')
  })

  test('every ticked stream shows its latest records as the token reads', async () => {
    const server = await consentServer()
    const { page, read } = await give(server, home)
    expect(sum(page)).toMatch(
      /^client\.example may read 1 of your 3 sources, from any time, until \d+ \w+ 20\d\d\. Today that is 5 items\.$/,
    )
    const { body } = await read('/v1/streams/messages/records?limit=3&count=exact')
    expect(body.meta.count).toEqual({ kind: 'exact', value: 5 })
    for (const record of body.data) {
      for (const value of Object.values(record.data)) expect(words(page)).toContain(String(value))
      // "As it is sent" is the very row of the answer.
      expect(page.text.replaceAll('&quot;', '"')).toContain(JSON.stringify(record))
    }
    expect(page.text).not.toContain('Subject 1')
  })

  test('an unticked field is named as hidden and not granted', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    await server.ingest('messages', 'home', [message(9, { body: 'the secret body', sender: 'Pip Marrow' })])
    const first = await lookAt(server, consent, home)
    expect(first.page.text).toContain('the secret body')
    const sent = first.form.tick('field/mail/messages', ['body', 'headers'], false).press('decision', 'update')
    const page = await server.browser.post(consent, sent)
    expect(page.text).not.toContain('the secret body')
    expect(page.text).toContain('Pip Marrow')
    expect(words(page)).toMatch(/body hidden/)
    const approved = await server.browser.post(consent, new ShownForm(page.text, consent).press('decision', 'approve'))
    expect(approved.status).toBe(303)
    const { grant } = (await server.owner('GET', '/v1/owner/grants')).body.data[0]
    expect(grant.streams[0].fields).toEqual(['id', 'subject', 'sender', 'sent_at', 'size', 'photo'])
  })

  test('a field that was left out stays so while a choice is invalid', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    let form = await look(server, consent, home)
    const update = async (change: (form: ShownForm) => ShownForm) => {
      const page = await server.browser.post(consent, change(form).press('decision', 'update'))
      form = new ShownForm(page.text, consent)
    }
    await update((shown) => shown.tick('field/mail/messages', 'body', false))
    const left = form.values('field/mail/messages')
    await update((shown) => shown.tick('connection/mail', 'home', false))
    await update((shown) => shown.tick('connection/mail', 'work').type('from/mail', '2026-02-02'))
    await update((shown) => shown.type('to/mail', '2026-02-01'))
    await update((shown) => shown.type('from/mail', '').type('to/mail', ''))
    expect(left).not.toContain('body')
    expect(form.values('field/mail/messages')).toEqual(left)
    expect((await server.browser.post(consent, form.press('decision', 'approve'))).status).toBe(303)
    const { grant } = (await server.owner('GET', '/v1/owner/grants')).body.data[0]
    expect([grant.streams[0].instance_ids, grant.streams[0].fields]).toEqual([['work'], left])
  })

  verifies('point 17', 'the key and the time of a stream always go with it, and say so', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, home)
    const locked = form.controls.filter(({ name, disabled }) => name === 'field/mail/messages' && disabled)
    expect(locked.map(({ value }) => value)).toEqual(['id', 'sent_at'])
  })

  verifies('point 17', 'no field of a stream that is kept whole can be left out', async () => {
    const server = await consentServer()
    const declaration = structuredClone(mailDeclaration)
    Object.assign(declaration.streams[0]!, { selection: { fields: false, resources: false } })
    await server.owner('POST', '/connectors', { ...declaration, declaration_version: '2' })
    const clientId = await server.register()
    const { consent } = await ask(server, { clientId })
    const form = await look(server, consent, home)
    const shown = form.controls.filter(({ name }) => name === 'field/mail/messages')
    expect(shown.map(({ value }) => value)).toContain('body')
    expect(shown.filter(({ disabled }) => !disabled)).toEqual([])
    expect((await server.browser.post(consent, form.press('decision', 'approve'))).status).toBe(303)
    const { grant } = (await server.owner('GET', '/v1/owner/grants')).body.data[0]
    expect(grant.streams[0].fields).toEqual(shown.map(({ value }) => value))
    const part = { ...MAIL, streams: [{ name: 'messages', fields: ['subject'] }] }
    const asked = await ask(server, { clientId, params: asking(part) })
    expect(words(await server.browser.get(asked.consent))).toContain('only with all its fields')
  })

  test('days limit what has a time, and the page counts what is left', async () => {
    const server = await consentServer()
    await server.ingest('labels', 'home', [{ key: ['in', 'red'], data: { box: 'in', name: 'red', colour: '#f00' } }])
    await server.ingest('messages', 'home', [message(1000), message(1001)])
    const day = at(1000).slice(0, 10)
    const change = (form: ShownForm) =>
      home(form).tick('stream/mail', 'labels').type('from/mail', day).type('to/mail', day)
    const { page, body, read } = await give(server, change)
    expect(sum(page)).toMatch(/1 of your 3 sources, only the days that you set, until .* 3 items\.$/)
    expect(words(page)).toContain("No dates, so the period doesn't limit it: all of it is shared.")
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    expect(body.authorization_details[0].streams[0].time_range).toEqual({ since: day, until: next })
    expect((await read('/v1/streams/messages/records')).body.data).toHaveLength(2)
    expect((await read('/v1/streams/labels/records')).body.data).toHaveLength(1)
  })

  test('days of one source do not limit the other, and the page says so', async () => {
    const server = await consentServer()
    const day = at(1).slice(0, 10)
    const both = (form: ShownForm) =>
      home(form)
        .type('from/mail', day)
        .type('to/mail', day)
        .tick('connection/health', 'clinic')
        .tick('stream/health', 'visits')
    const { page, body } = await give(server, both)
    expect(sum(page)).toMatch(/2 of your 3 sources, from any time except where you set days, until/)
    const details: { streams: { name: string; time_range?: unknown }[] }[] = body.authorization_details
    const limited = details.flatMap(({ streams }) => streams.filter((one) => one.time_range))
    expect([details.length, limited.map(({ name }) => name)]).toEqual([2, ['messages']])
  })

  test('presets: the last 30 days, metadata only, everything, nothing', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const press = async (value: string) => (await lookAt(server, consent, (form) => form, ['preset', value])).form
    const recent = await press('mail:last_30_days')
    expect(recent.values('stream/mail')).toEqual(['messages'])
    expect(recent.values('connection/mail')).toEqual(['home', 'work'])
    const days = (Date.now() - Date.parse(recent.values('from/mail')[0]!)) / 86_400_000
    expect([Math.floor(days), recent.values('to/mail')]).toEqual([30, ['']])
    const metadata = await press('mail:metadata')
    expect(metadata.values('field/mail/messages')).toEqual(['id', 'sender', 'sent_at', 'size'])
    const everything = await press('mail:everything')
    expect(everything.values('stream/mail')).toEqual(['messages', 'labels'])
    expect(everything.values('field/mail/messages')).toHaveLength(8)
    expect((await press('mail:nothing')).values('stream/mail')).toEqual([])
    expect((await press('nowhere:everything')).values('stream/mail')).toEqual([])
  })

  test('quick choices tick all but the sensitive, or what another agent has', async () => {
    const server = await consentServer()
    const other = await give(server, (form) => home(form).tick('stream/health', 'visits'))
    expect(other.body.access_token).toBeDefined()
    const { consent } = await ask(server, { clientId: await server.register() })
    const first = await server.browser.get(consent)
    const same = /value="(all:same:[^"]+)"/.exec(first.text)![1]!
    const press = async (value: string) => (await lookAt(server, consent, (form) => form, ['preset', value])).form
    const ordinary = await press('all:ordinary')
    expect([
      ordinary.values('connection/mail'),
      ordinary.values('stream/mail'),
      ordinary.values('stream/health'),
    ]).toEqual([['home', 'work'], ['messages', 'labels'], []])
    // The other agent has the sensitive source, too. Only the owner's own tick gives it.
    const held = await press(same)
    expect([held.values('connection/mail'), held.values('stream/mail'), held.values('stream/health')]).toEqual([
      ['home'],
      ['messages'],
      [],
    ])
    expect((await press('all:nothing')).values('stream/mail')).toEqual([])
  })

  test('a count that took too long is not shown as zero', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const sent = home(new ShownForm((await server.browser.get(consent)).text, consent)).press('decision', 'update')
    const start = Date.now()
    let looks = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + 2000 * looks++)
    try {
      const page = await server.browser.post(consent, sent)
      expect(sum(page)).toContain('Today that is more than 0 items.')
      expect(words(page)).toContain('Clinic Sensitive visits Parts')
    } finally {
      clock.mockRestore()
    }
  })

  test('a form can choose among what is offered, and nothing else', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = new ShownForm((await server.browser.get(consent)).text, consent)
    const page = await server.browser.post(consent, {
      ...home(form).press('decision', 'update'),
      'connection/health': 'home',
      'stream/nowhere': 'messages',
      'listed/mail': 'messages',
      'field/mail/messages': ['subject', 'password'],
    })
    expect(page.status).toBe(200)
    expect(new ShownForm(page.text, consent).values('field/mail/messages')).toEqual(['id', 'subject', 'sent_at'])
    expect(sum(page)).toMatch(/1 of your 3 sources, .* 5 items\.$/)
  })

  test('without an account or valid days the page gives nothing', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const wrong = async (change: (form: ShownForm) => ShownForm) => {
      const form = await look(server, consent, change)
      return server.browser.post(consent, form.press('decision', 'approve'))
    }
    const without = await wrong((form) => form.tick('stream/mail', 'messages'))
    expect([without.status, words(without)]).toEqual([400, expect.stringContaining('at least one of the accounts')])
    const backwards = await wrong((form) => home(form).type('from/mail', '2026-02-02').type('to/mail', '2026-02-01'))
    expect([backwards.status, words(backwards)]).toEqual([400, expect.stringContaining('before the first')])
    // A browser without a calendar lets the owner type days. An unreadable day does not mean "no limit".
    for (const day of ['1.2.2026', '2026-02-30', '9999-12-31', 'soon']) {
      const form = await look(server, consent, home)
      const typed = await server.browser.post(consent, form.type('to/mail', day).press('decision', 'approve'))
      expect([day, typed.status, words(typed)]).toEqual([day, 400, expect.stringMatching(/not a day|too far away/)])
    }
    expect((await server.owner('GET', '/v1/owner/grants')).body.data).toEqual([])
  })
})

describe('what was asked for can be narrowed, never widened', () => {
  test('it is ticked, without what is sensitive, and alone on the page', async () => {
    const server = await consentServer()
    const asked = { ...MAIL, streams: [{ name: 'messages', fields: ['subject', 'body'] }] }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(asked, HEALTH) })
    const page = await server.browser.get(consent)
    const form = new ShownForm(page.text, consent)
    expect(form.values('stream/asked-0')).toEqual(['messages'])
    expect(form.values('stream/asked-0', { all: true })).toEqual(['messages'])
    expect(form.values('field/asked-0/messages', { all: true })).toEqual(['id', 'subject', 'body', 'sent_at'])
    expect(form.values('stream/asked-1')).toEqual([])
    expect(words(page)).toContain('You can share less, but not more.')
    expect(words(page)).toMatch(/Hidden, because it did not ask for them: sender , size/)
    expect(page.text).not.toContain('private v')
  })

  test('a form that claims more gets what was asked for at most', async () => {
    const server = await consentServer()
    const asked = { ...MAIL, streams: [{ name: 'messages', fields: ['subject'], time_range: { since: at(2) } }] }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(asked) })
    const form = await look(server, consent, (shown) => shown.type('from/asked-0', '2020-01-01'))
    const answer = await server.browser.post(consent, {
      ...form.press('decision', 'approve'),
      'stream/asked-0': ['messages', 'labels'],
      'field/asked-0/messages': ['subject', 'body'],
    })
    expect(answer.status).toBe(303)
    const { grant } = (await server.owner('GET', '/v1/owner/grants')).body.data[0]
    expect(grant.streams).toEqual([
      {
        name: 'messages',
        instance_ids: ['home', 'work'],
        fields: ['id', 'subject', 'sent_at'],
        time_constraint: { field: 'sent_at', since: at(2) },
      },
    ])
  })

  test('a narrower choice gives a token that reads exactly that', async () => {
    const server = await consentServer()
    const change = (form: ShownForm) =>
      form
        .tick('connection/asked-0', 'work', false)
        .tick('field/asked-0/messages', ['body', 'photo', 'headers'], false)
        .type('to/asked-0', at(1).slice(0, 10))
    const { page, read } = await give(server, change, asking(MAIL))
    expect(sum(page)).toMatch(/1 of the 2 sources it asked for, only the days that you set, .* 5 items\.$/)
    const { body } = await read('/v1/streams/messages/records')
    expect(body.data).toHaveLength(5)
    expect(Object.keys(body.data[0].data)).toEqual(['id', 'subject', 'sender', 'sent_at', 'size'])
    expect((await read('/v1/streams/messages/records?connection_id=work')).status).toBe(404)
    expect((await read('/v1/streams/messages/records?fields=body')).body.error.code).toBe('field_not_granted')
  })

  test('a stream of which nothing is left is not shown as given', async () => {
    const server = await consentServer()
    const label = { key: ['in', 'red'], data: { box: 'in', name: 'red', colour: '#f00' } }
    await server.ingest('labels', 'work', [label])
    await server.owner('PATCH', '/v1/owner/connections/work', { display_name: 'Work mail' })
    const asked = { ...MAIL, streams: [{ name: 'messages' }, { name: 'labels', instance_ids: ['work'] }] }
    const change = (form: ShownForm) =>
      form.tick('connection/asked-0', 'work', false).type('from/asked-0', '2020-01-01')
    const { page, body } = await give(server, change, asking(asked))
    expect(words(page)).toContain('labels nothing shared')
    expect(words(page)).toContain('Only from: Work mail')
    expect(words(page)).not.toContain('all of it is shared')
    expect(sum(page)).toMatch(/1 of the 2 sources it asked for, only the days that you set, .* 5 items\.$/)
    expect(body.authorization_details[0].streams.map(({ name }: { name: string }) => name)).toEqual(['messages'])
  })

  test("the client's own statements are shown in full", async () => {
    const server = await consentServer()
    const long = (end: string) => 'x'.repeat(500 - end.length) + end
    const told = {
      purpose_code: `urn:example:${'p'.repeat(485)}end`,
      purpose_description: long('and sell it'),
      client_claims: { commitments: [long('unless we change our mind')] },
    }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking({ ...MAIL, ...told }) })
    const page = await server.browser.get(consent)
    for (const end of ['pppend', 'xand sell it', 'xunless we change our mind']) expect(page.text).toContain(end)
    expect(page.text).toContain('It asks for a purpose that this server does not know: <code>')
  })

  test('how far back narrows what was asked for, and never widens it', async () => {
    const server = await consentServer()
    const since = async (asked: string, back: string) => {
      const streams = [{ name: 'messages', time_range: { since: asked } }]
      const { body } = await give(server, (form) => form.tick('back', back), asking({ ...MAIL, streams }))
      return body.authorization_details[0].streams[0].time_range.since
    }
    const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10)
    expect(await since('2001-01-01', '')).toBe('2001-01-01')
    expect(await since('2001-01-01', '365')).toBe(yearAgo)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    expect(await since(yesterday, '365')).toBe(yesterday)
  })

  test('purposes that differ are listed by source', async () => {
    const server = await consentServer()
    const training = { ...MAIL, purpose_code: 'https://pdpp.dev/purpose/ai_training' }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(training, HEALTH) })
    const page = words(await server.browser.get(consent)).replace(/ \./g, '.')
    expect(page).toContain('It asks for Mail to train an AI model.')
    expect(page).toContain('It asks for Health to answer you with your own data at hand.')
  })

  test('the purpose is shown in words, and training needs its own yes', async () => {
    const server = await consentServer()
    const training = {
      ...MAIL,
      purpose_code: 'https://pdpp.dev/purpose/ai_training',
      purpose_description: 'Better models',
    }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(training) })
    const page = await server.browser.get(consent)
    expect(words(page)).toContain('to train an AI model')
    expect(words(page)).toContain('“ Better models ”')
    const form = new ShownForm(page.text, consent)
    expect(form.values('ai_training')).toEqual([])
    const without = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([without.status, words(without)]).toEqual([
      400,
      expect.stringContaining('You have not agreed to training a model'),
    ])
    const yes = form.tick('ai_training', 'yes').press('decision', 'approve')
    expect((await server.browser.post(consent, yes)).status).toBe(303)
  })
})

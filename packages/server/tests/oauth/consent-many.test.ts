import { expect, it } from 'vitest'
import { declaration, key, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { addManySources } from '../../../../tests/fixtures/many-sources.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { sum, words } from './consent.fixture.ts'
import { ask, followed, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

const two = (number: number) => String(number).padStart(3, '0')

/** A hundred sources with an account each, and one with two hundred: three hundred connections. */
async function fullServer(): Promise<OAuthServer> {
  const server = await oauthServer()
  const declare = async (name: string, title: string, accounts: readonly string[]) => {
    const streams = { [`${name}_notes`]: stream({ id: key(), text: text() }) }
    await server.owner('POST', '/connectors', declaration(name, streams, { display: { name: title } }))
    for (const id of accounts)
      await server.owner('POST', '/v1/owner/connections', {
        connector_key: name,
        connection_id: id,
        display_name: `Account ${id}`,
      })
  }
  for (let n = 0; n < 100; n++) await declare(`shelf${two(n)}`, `Shelf ${two(n)}`, [`shelf-${two(n)}`])
  const accounts = Array.from({ length: 200 }, (_, n) => `box-${two(n)}`)
  await declare('boxes', 'Boxes', accounts)
  return server
}

const lines = (page: { text: string }) =>
  [...page.text.matchAll(/<details class="inside" id="(?:source|account)-([\w-]+)"/g)].map(([, id]) => id)

it('offers three hundred connections by kind, and keeps choices', async () => {
  const server = await fullServer()
  const clientId = await server.register()
  const { consent, verifier } = await ask(server, { clientId })
  const { browser } = server
  let page = await browser.get(consent)
  expect(words(page)).toContain('Notes 300 sources')
  expect(page.text.length).toBeLessThan(400_000)
  const send = async (change: (form: ShownForm) => ShownForm, button: [string, string] = ['decision', 'update']) => {
    page = await browser.post(consent, change(new ShownForm(page.text, consent)).press(...button))
    return page
  }
  await send((form) => form.type('find', 'shelf 050'))
  expect(lines(page)).toEqual(['shelf050'])
  await send((form) => form.tick('row/shelf050', 'on'))
  expect(page.text).not.toContain('Also chosen')
  // Searches by the name of an account. The page keeps what was chosen.
  await send((form) => form.type('find', 'ACCOUNT box-17'))
  expect(words(page)).toMatch(/10 of your 30\d sources have this name\./)
  expect(words(page)).toContain('Also chosen Account shelf-050')
  expect(new Set(page.text.match(/\sid="[^"]+"/g)).size).toBe(page.text.match(/\sid="[^"]+"/g)!.length)
  const offered = new ShownForm(page.text, consent).values('connection/boxes', { all: true })
  expect([offered.length, offered.every((id) => id.startsWith('box-17'))]).toEqual([10, true])
  await send((form) => form.tick('connection/boxes', ['box-171', 'box-179']))
  await send((form) => form.type('find', 'no such thing'))
  expect(words(page)).toContain('sources has this name.')
  expect(lines(page)).toEqual(expect.arrayContaining(['shelf050', 'boxes']))
  expect(sum(page)).toMatch(/may read 3 of your 30\d sources/)
  // Back on the list of kinds, the choice is the same, wherever it is shown.
  await send((form) => form, ['find-clear', 'yes'])
  expect(sum(page)).toMatch(/may read 3 of your 30\d sources/)
  const answer = await send((form) => form, ['decision', 'approve'])
  const { headers } = await followed(answer as never, browser)
  const { body } = await tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(headers.get('location')!).searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: 'https://client.example/back',
  })
  const schema = await server.as(body.access_token)('GET', '/v1/connectors')
  expect(schema.body.data.map((one: any) => one.connector_key).sort()).toEqual(['boxes', 'shelf050'])
  const given = (await server.owner('GET', '/v1/owner/grants')).body.data.flatMap((one: any) => one.grant.streams)
  expect(given.find((one: any) => one.name === 'boxes_notes').instance_ids).toEqual(['box-171', 'box-179'])

  // If there are more sources than a package may hold, the page says so before anything is created.
  const again = await ask(server, { clientId })
  page = await browser.get(again.consent)
  const all = new ShownForm(page.text, again.consent)
  const looked = await browser.post(again.consent, all.press('preset', 'all:ordinary'))
  const full = await browser.post(again.consent, new ShownForm(looked.text, again.consent).press('decision', 'approve'))
  expect([full.status, words(full)]).toEqual([
    400,
    expect.stringContaining('You can share at most 50 sources at once.'),
  ])
})

it('ticks and unticks a whole kind, without its sensitive sources', async () => {
  const server = await oauthServer()
  await addManySources(server.server)
  const { consent } = await ask(server, { clientId: await server.register() })
  let page = await server.browser.get(consent)
  const send = async (change: (form: ShownForm) => ShownForm) => {
    const sent = change(new ShownForm(page.text, consent)).press('decision', 'update')
    page = await server.browser.post(consent, sent)
    return new ShownForm(page.text, consent)
  }
  const photos = await send((form) => form.tick('group', 'photo'))
  expect(photos.values('was-group/photo')).toEqual(['all'])
  expect(sum(page)).toMatch(/may read 6 of your \d+ sources/)
  // One source out of a kind: the kind is partly chosen, and says so.
  await send((form) => form.tick('row/photo_album_2', 'on', false))
  expect(words(page)).toContain('Photos 5 of 6 sources')
  expect(page.text).toMatch(/id="g-photo"[^>]*class="mixed"/)
  await send((form) => form.tick('group', 'photo'))
  expect(words(page)).toContain('Photos 6 sources')
  await send((form) => form.tick('group', 'photo', false))
  expect(sum(page)).toBe('Tick at least one source.')
  // A kind that is completely sensitive is chosen only by its own tick.
  await send((form) => form.tick('group', 'health'))
  expect(sum(page)).toMatch(/may read 4 of your \d+ sources/)
  page = await server.browser.post(consent, new ShownForm(page.text, consent).press('preset', 'all:ordinary'))
  expect(new ShownForm(page.text, consent).values('was-group/health')).toEqual(['none'])
})

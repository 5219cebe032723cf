import { expect, it } from 'vitest'
import { declaration, key, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { words } from './consent.fixture.ts'
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

const shelves = (page: { text: string }) =>
  [...page.text.matchAll(/<details class="panel source" id="source-([\w-]+)"/g)].map(([, id]) => id)

it('offers three hundred connections in pages, and keeps choices', async () => {
  const server = await fullServer()
  const clientId = await server.register()
  const { consent, verifier } = await ask(server, { clientId })
  const { browser } = server
  let page = await browser.get(consent)
  const sources = shelves(page).length
  expect(sources).toBe(40)
  expect(words(page)).toMatch(/You have 10\d sources; these are 1 to 40\./)
  expect(page.text.length).toBeLessThan(400_000)
  const send = async (change: (form: ShownForm) => ShownForm, button: [string, string] = ['decision', 'update']) => {
    page = await browser.post(consent, change(new ShownForm(page.text, consent)).press(...button))
    return page
  }
  await send((form) => form, ['page', '2'])
  expect(words(page)).toContain('these are 41 to 80.')
  await send((form) => form.tick('stream/shelf050', 'shelf050_notes'))
  expect(words(page)).toContain('these are 41 to 80.')
  expect(page.text).not.toContain('Chosen already')
  // By the name of an account; what was chosen stays on the page.
  await send((form) => form.type('find', 'ACCOUNT box-17'))
  expect(words(page)).toMatch(/1 of your 10\d sources is found\./)
  expect(shelves(page)).toEqual(['shelf050', 'boxes'])
  const offered = new ShownForm(page.text, consent).values('connection/boxes', { all: true })
  expect([offered.length, offered.slice(0, 10).every((id) => id.startsWith('box-17'))]).toEqual([200, true])
  await send((form) => form.tick('connection/boxes', ['box-171', 'box-179']).tick('stream/boxes', 'boxes_notes'))
  await send((form) => form.type('find', 'no such thing'))
  expect(words(page)).toContain('or their accounts has this name.')
  expect(words(page)).toContain('2 sources, 2 streams')
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

  // More sources than one package holds: said before anything is made.
  const again = await ask(server, { clientId })
  page = await browser.get(again.consent)
  for (const turn of ['1', '2', '3']) {
    const form = new ShownForm(page.text, again.consent)
    for (const key of shelves(page).filter((id) => id !== 'boxes'))
      if (form.values(`stream/shelf${key!.slice(5)}`, { all: true }).length > 0)
        form.tick(`stream/${key}`, `${key}_notes`)
    page = await browser.post(again.consent, form.press('page', turn))
  }
  const full = await browser.post(again.consent, new ShownForm(page.text, again.consent).press('decision', 'approve'))
  expect([full.status, words(full)]).toEqual([
    400,
    expect.stringContaining('You can share at most 50 sources at once.'),
  ])
}, 60_000)

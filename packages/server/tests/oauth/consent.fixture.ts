import { declaration, key, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { ask, followed, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

export const MAIL = {
  type: 'https://pdpp.dev/data-access',
  source: { kind: 'connector', id: 'https://tests.example/mail' },
  purpose_code: 'https://pdpp.dev/purpose/agent_context',
  access_mode: 'continuous',
  streams: [{ name: 'messages' }],
}
export const HEALTH = {
  ...MAIL,
  source: { kind: 'connector', id: 'https://tests.example/health' },
  streams: [{ name: 'visits' }],
}

/** Mail of two accounts, and a sensitive source with one. */
export async function consentServer(): Promise<OAuthServer> {
  const server = await oauthServer()
  await server.owner(
    'POST',
    '/connectors',
    declaration(
      'health',
      { visits: stream({ id: key(), doctor: text(), note: text() }) },
      { sensitivity: 'sensitive' },
    ),
  )
  await server.owner('POST', '/v1/owner/connections', {
    connector_key: 'health',
    connection_id: 'clinic',
    display_name: 'Clinic',
  })
  const visit = (id: string) => ({ key: id, data: { id, doctor: 'Dr Quill', note: `private ${id}` } })
  await server.ingest('visits', 'clinic', ['v1', 'v2', 'v3', 'v4'].map(visit))
  return server
}

type Change = (form: ShownForm) => ShownForm

/** Opens the page, changes the form, presses "Update", and answers the form that is then shown. */
export async function look(server: OAuthServer, consent: string, change: Change, browser = server.browser) {
  const { form } = await lookAt(server, consent, change, ['decision', 'update'], browser)
  return form
}

export async function lookAt(
  server: OAuthServer,
  consent: string,
  change: Change,
  button: readonly [string, string] = ['decision', 'update'],
  browser = server.browser,
) {
  const first = await browser.get(consent)
  const page = await browser.post(consent, change(new ShownForm(first.text, consent)).press(...button))
  return { page, form: new ShownForm(page.text, consent) }
}

export const asking = (...details: unknown[]) => ({ authorization_details: JSON.stringify(details) })

/** Asks for access, lets the owner change the form, approves the result that the page shows, and fetches the token. */
export async function give(server: OAuthServer, change: Change, params: Record<string, string> = {}) {
  const clientId = await server.register()
  const { consent, verifier } = await ask(server, { clientId, params })
  const { page, form } = await lookAt(server, consent, change)
  const answer = await server.browser.post(consent, form.press('decision', 'approve'))
  const { headers } = await followed(answer, server.browser)
  const code = new URL(headers.get('location') ?? 'about:blank').searchParams.get('code') ?? ''
  const { body } = await tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: 'https://client.example/back',
  })
  return { page, body, read: (path: string) => server.as(body.access_token)('GET', path) }
}

/** The text of a page, without its markup. */
export const words = (page: { text: string }): string =>
  page.text
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** The sentence next to Allow. */
export const sum = (page: { text: string }): string =>
  words({ text: /id="sum">([\s\S]*?)<\/p>/.exec(page.text)?.[1] ?? '' })
    .replace(/ ([,.])/g, '$1')
    .trim()

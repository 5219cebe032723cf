// `npm run screenshots` takes pictures of the consent page with the demo data for docs/screenshots/consent-*.png.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, type RunningServer, startServer } from '@pdpp/server'
import { type Browser, chromium, type Page } from 'playwright-core'
import { addManySources } from '../tests/fixtures/many-sources.ts'
import { serverConfig } from '../tests/fixtures/server-config.ts'
import { findBrowser } from './browser.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'screenshots')
const CLIENT = 'https://assistant.example/oauth/client.json'
const BACK = 'https://assistant.example/oauth/back'
const LOCAL_BACK = 'http://127.0.0.1:4321/back'
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

interface Picture {
  readonly name: string
  readonly act: (page: Page) => Promise<void>
  readonly isPhone?: boolean
  /** True if the client is a program on this computer, whose identity cannot be verified. */
  readonly isLocal?: boolean
  /** Keys of the connectors that the client asks for. */
  readonly asks?: readonly string[]
}

async function waitUntilReady(page: Page): Promise<void> {
  await page.locator('#allow:enabled').waitFor()
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
}

async function tickFourSources(page: Page): Promise<void> {
  for (const tick of ['#c-mail-mail-work', '#row-chat', '#row-calendar', '#row-notes']) {
    await page.locator(tick).check()
    await waitUntilReady(page)
  }
  await page.locator('#back-365').check()
  await waitUntilReady(page)
}

async function openSource(page: Page): Promise<void> {
  await tickFourSources(page)
  await page.locator('#source-chat > summary').click()
  await page.locator('#source-chat .items').waitFor()
}

async function tickKinds(page: Page): Promise<void> {
  for (const tick of ['#g-mail', '#g-chat', '#g-note']) {
    await page.locator(tick).check()
    await waitUntilReady(page)
  }
  await page.locator('#group-chat > summary').click()
  await page.locator('#row-group_chat_2').uncheck()
  await waitUntilReady(page)
  await page.locator('#group-chat > summary').click()
}

const DEMO_PICTURES: readonly Picture[] = [
  { name: 'desk', act: tickFourSources },
  { name: 'open', act: openSource },
  { name: 'asked', act: waitUntilReady, asks: ['mail', 'calendar', 'purchases'] },
  { name: 'local', act: async () => {}, isLocal: true },
  { name: 'phone', act: tickFourSources, isPhone: true },
  { name: 'phone-open', act: openSource, isPhone: true },
]
/** Pictures with sixty sources. */
const MANY_SOURCES_PICTURES: readonly Picture[] = [
  { name: 'sixty', act: tickKinds },
  { name: 'phone-sixty', act: tickKinds, isPhone: true },
]

async function take(browser: Browser, server: RunningServer, clients: Clients, picture: Picture): Promise<void> {
  const { name, act, isPhone, isLocal, asks } = picture
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: isPhone ? PHONE : DESK, colorScheme })
    const page = await context.newPage()
    await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const details = asks && { authorization_details: JSON.stringify(await detailsOf(server, asks)) }
    const client = isLocal ? clients.local : clients.verified
    await page.goto(
      `${server.url}/oauth/authorize?${request(client)}${details ? `&${new URLSearchParams(details)}` : ''}`,
    )
    await act(page)
    await page.mouse.move(0, 0)
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
    await page.screenshot({ path: join(folder, `consent-${name}-${colorScheme}.png`) })
    await context.close()
  }
}

async function detailsOf(server: RunningServer, keys: readonly string[]) {
  const declared = await server.context.storage.sources.list(OWNER)
  return keys.map((key) => ({
    type: 'https://pdpp.dev/data-access',
    source: { kind: 'connector', id: declared.find((one) => one.connector_key === key)!.source.id },
    purpose_code: 'https://pdpp.dev/purpose/agent_context',
    access_mode: 'continuous',
    streams: [{ name: '*' }],
  }))
}

interface ClientParams {
  readonly client_id: string
  readonly redirect_uri: string
}
type Clients = Readonly<Record<'verified' | 'local', ClientParams>>

function request(client: ClientParams): URLSearchParams {
  const code_challenge = createHash('sha256')
    .update('a verifier that only a picture needs, no one else')
    .digest('base64url')
  const fixed = { response_type: 'code', code_challenge_method: 'S256', state: 'picture' }
  return new URLSearchParams({ ...fixed, ...client, code_challenge })
}

/** Adds an agent whose address is verified, a program on this computer, and an agent that already has access. */
async function addClients({ context }: RunningServer): Promise<Clients> {
  await context.storage.clients.save({
    clientId: CLIENT,
    kind: 'document',
    metadata: {
      client_name: 'Assistant',
      redirect_uris: [BACK],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    createdAt: Date.now(),
    lastUsedAt: undefined,
    freshUntil: Date.now() + 3_600_000,
  })
  const { clientId } = await context.clients.register({ client_name: 'Editor', redirect_uris: [LOCAL_BACK] })
  const createGrant = (id: string, name: string, connection: string) =>
    context.grants.create(OWNER, {
      connections: [connection],
      clientId: id,
      clientName: name,
      purposeCode: 'https://pdpp.dev/purpose/agent_context',
      singleUse: false,
    })
  await createGrant('reading-agent', 'Reading agent', 'notes')
  const { grant_id } = await createGrant(CLIENT, 'Assistant', 'notes')
  await context.grants.revoke(OWNER, grant_id)
  return {
    verified: { client_id: CLIENT, redirect_uri: BACK },
    local: { client_id: clientId, redirect_uri: LOCAL_BACK },
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-pictures-'))
const server = await startServer(serverConfig(dataDir))
const browser = await chromium.launch({
  executablePath: findBrowser()!,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
try {
  await server.context.demo.load()
  const clients = await addClients(server)
  for (const picture of DEMO_PICTURES) await take(browser, server, clients, picture)
  await addManySources(server)
  for (const picture of MANY_SOURCES_PICTURES) await take(browser, server, clients, picture)
} finally {
  await browser.close()
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
}

// `npm run screenshots`: takes pictures of the consent page with the demo data for docs/screenshots/consent-*.png.
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
  /** A program on this computer asks, which nobody can verify. */
  readonly isLocal?: boolean
  /** Sources that the client names. */
  readonly asks?: readonly string[]
}

async function settled(page: Page): Promise<void> {
  await page.locator('#allow:enabled').waitFor()
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
}

async function four(page: Page): Promise<void> {
  for (const tick of ['#c-mail-mail-work', '#row-chat', '#row-calendar', '#row-notes']) {
    await page.locator(tick).check()
    await settled(page)
  }
  await page.locator('#back-365').check()
  await settled(page)
}

async function open(page: Page): Promise<void> {
  await four(page)
  await page.locator('#source-chat > summary').click()
  await page.locator('#source-chat .items').waitFor()
}

async function kinds(page: Page): Promise<void> {
  for (const tick of ['#g-mail', '#g-chat', '#g-note']) {
    await page.locator(tick).check()
    await settled(page)
  }
  await page.locator('#group-chat > summary').click()
  await page.locator('#row-group_chat_2').uncheck()
  await settled(page)
  await page.locator('#group-chat > summary').click()
}

const NINE: readonly Picture[] = [
  { name: 'desk', act: four },
  { name: 'open', act: open },
  { name: 'asked', act: settled, asks: ['mail', 'calendar', 'purchases'] },
  { name: 'local', act: async () => {}, isLocal: true },
  { name: 'phone', act: four, isPhone: true },
  { name: 'phone-open', act: open, isPhone: true },
]
const SIXTY: readonly Picture[] = [
  { name: 'sixty', act: kinds },
  { name: 'phone-sixty', act: kinds, isPhone: true },
]

async function take(browser: Browser, server: RunningServer, clients: Clients, picture: Picture): Promise<void> {
  const { name, act, isPhone, isLocal, asks } = picture
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: isPhone ? PHONE : DESK, colorScheme })
    const page = await context.newPage()
    await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const details = asks && { authorization_details: JSON.stringify(await detailsOf(server, asks)) }
    const who = isLocal ? clients.local : clients.verified
    await page.goto(`${server.url}/oauth/authorize?${request(who)}${details ? `&${new URLSearchParams(details)}` : ''}`)
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

interface Asker {
  readonly client_id: string
  readonly redirect_uri: string
}
type Clients = Readonly<Record<'verified' | 'local', Asker>>

function request(who: Asker): URLSearchParams {
  const code_challenge = createHash('sha256')
    .update('a verifier that only a picture needs, no one else')
    .digest('base64url')
  const fixed = { response_type: 'code', code_challenge_method: 'S256', state: 'picture' }
  return new URLSearchParams({ ...fixed, ...who, code_challenge })
}

/** An agent whose address is verified, a program on this computer, and one that can read already. */
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
  const given = (id: string, name: string, connection: string) =>
    context.grants.create(OWNER, {
      connections: [connection],
      clientId: id,
      clientName: name,
      purposeCode: 'https://pdpp.dev/purpose/agent_context',
      singleUse: false,
    })
  await given('reading-agent', 'Reading agent', 'notes')
  const { grant_id } = await given(CLIENT, 'Assistant', 'notes')
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
  for (const picture of NINE) await take(browser, server, clients, picture)
  await addManySources(server)
  for (const picture of SIXTY) await take(browser, server, clients, picture)
} finally {
  await browser.close()
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
}

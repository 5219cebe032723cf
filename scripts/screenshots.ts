// `npm run screenshots`: takes pictures of the consent page with the demo data for docs/screenshots/consent-*.png.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, type RunningServer, startServer } from '@pdpp/server'
import { type Browser, chromium, type Page } from 'playwright-core'
import { serverConfig } from '../tests/fixtures/server-config.ts'
import { findBrowser } from './browser.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'screenshots')
const CLIENT = 'https://assistant.example/oauth/client.json'
const BACK = 'https://assistant.example/oauth/back'
const SIZES = { wide: { width: 1000, height: 1180 }, phone: { width: 390, height: 844 } }

type Ticks = (page: Page) => Promise<void>

const oneSource: Ticks = async (page) => {
  await openSource(page, 'calendar')
  await press(page, '#p-calendar-last_30_days')
  await press(page, '#f-calendar-events-description')
}

const fiveSources: Ticks = async (page) => {
  for (const key of ['calendar', 'chat', 'notes', 'music', 'purchases']) {
    await openSource(page, key)
    await press(page, `#p-${key}-everything`)
    await page.locator(`#source-${key} > summary`).click()
  }
}

async function openSource(page: Page, key: string): Promise<void> {
  await page.locator(`#source-${key} > summary`).click()
}

async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForResponse((one) => one.url().includes('/consent/')), page.locator(selector).click()])
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
}

async function picture(browser: Browser, server: RunningServer, name: string, ticks: Ticks): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const viewport = name.includes('phone') ? SIZES.phone : SIZES.wide
    const context = await browser.newContext({ viewport, colorScheme })
    const page = await context.newPage()
    await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.goto(`${server.url}/oauth/authorize?${request()}`)
    await ticks(page)
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate(
      `scrollTo(0, ${name.includes('phone') ? "document.getElementById('s-calendar-events').getBoundingClientRect().top + scrollY - 90" : 0})`,
    )
    await page.screenshot({ path: join(folder, `consent-${name}-${colorScheme}.png`) })
    await context.close()
  }
}

function request(): URLSearchParams {
  const code_challenge = createHash('sha256')
    .update('a verifier that only a picture needs, no one else')
    .digest('base64url')
  const fixed = { response_type: 'code', code_challenge_method: 'S256', state: 'picture' }
  return new URLSearchParams({ ...fixed, client_id: CLIENT, redirect_uri: BACK, code_challenge })
}

const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-pictures-'))
const server = await startServer(serverConfig(dataDir))
const browser = await chromium.launch({
  executablePath: findBrowser()!,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
try {
  await server.context.demo.load()
  await server.context.storage.clients.save({
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
  await picture(browser, server, 'one-source', oneSource)
  await picture(browser, server, 'five-sources', fiveSources)
  await picture(browser, server, 'phone', oneSource)
} finally {
  await browser.close()
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
}

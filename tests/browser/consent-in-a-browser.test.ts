// The consent page in a real browser: by keyboard alone, on a phone, with scripts and without, and for screen readers.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER, type RunningServer, startServer } from '@pdpp/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../../scripts/browser.ts'
import { copyDemo } from '../fixtures/demo-data.ts'
import { serverConfig } from '../fixtures/server-config.ts'
import { expectFaultless, LOOKS, problemsOf, showAs } from './page-checks.ts'

const executablePath = findBrowser()
if (!executablePath) console.warn('No browser was found: the tests of the consent page in a real browser are skipped.')

const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-in-all'
const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true }

describe.skipIf(!executablePath)('the consent page in a real browser', () => {
  let browser: Browser
  let place: Awaited<ReturnType<typeof surroundings>>

  beforeAll(async () => {
    place = await surroundings()
    const { chromium } = await import('playwright-core')
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--disable-dev-shm-usage', ...root] })
  })
  afterAll(async () => {
    await browser?.close()
    await place?.close()
  })

  /** A client that asks, and the owner in front of the page. */
  async function asked(options: BrowserContextOptions = {}) {
    const { server, back } = place
    const { clientId } = await server.context.clients.register({ client_name: 'Assistant', redirect_uris: [back] })
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: back,
      response_type: 'code',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'st4te',
    })
    await page.goto(`${server.url}/oauth/authorize?${query}`)
    const answer = async () => {
      await page.waitForURL((url) => url.href.startsWith(back))
      return Object.fromEntries(new URL(page.url()).searchParams)
    }
    return { page, answer, grants: () => grantsOf(server, clientId) }
  }

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('is decided by keyboard alone, %s', async (_name, scripts) => {
    const { page, answer, grants } = await asked({ javaScriptEnabled: scripts })
    await tabTo(page, '#source-calendar > summary')
    await page.keyboard.press('Enter')
    await tabTo(page, '#s-calendar-events')
    await page.keyboard.press('Space')
    if (!scripts) {
      await tabTo(page, '#source-calendar .without-script button')
      await page.keyboard.press('Enter')
    }
    await page.locator('#f-calendar-events-description').waitFor()
    expect(await page.textContent('#sum')).toMatch(/^1 source, 1 stream, [\d,]+ records, until /)
    await tabTo(page, '#f-calendar-events-description')
    await page.keyboard.press('Space')
    if (!scripts) {
      await tabTo(page, '#update')
      await page.keyboard.press('Enter')
    }
    await page.locator('tr.hidden-field').waitFor()
    expect(await page.locator('#f-calendar-events-description').isChecked()).toBe(false)
    // With scripts the place on the page is kept.
    if (scripts) expect(await focused(page)).toBe('f-calendar-events-description')
    await tabTo(page, '#allow')
    await page.keyboard.press('Enter')
    expect(await answer()).toMatchObject({ code: expect.any(String), state: 'st4te' })
    const [given] = await grants()
    expect(given!.streams.map(({ name }) => name)).toEqual(['events'])
    expect(given!.streams[0]!.fields).toContain('title')
    expect(given!.streams[0]!.fields).not.toContain('description')
  })

  it('shows the result of a choice at once, also to screen readers', async () => {
    const { page, answer } = await asked()
    await page.locator('#source-chat > summary').click()
    await page.locator('#p-chat-last_30_days').click()
    await page.locator('#d-s-chat-messages').waitFor()
    const recent = await page.textContent('#sum')
    expect(await page.textContent('#announce')).toBe(recent)
    await page.locator('#p-chat-everything').click()
    await page.locator('#announce', { hasText: '3 streams, 6,' }).waitFor()
    await page.locator('[id="from/chat"]').fill('2026-01-01')
    await page.locator('[id="to/chat"]').fill('2026-01-31')
    await page.locator('#allow').focus()
    await page.locator('#announce:not(:text("3 streams, 6,"))').waitFor()
    expect(await page.textContent('#sum')).not.toBe(recent)
    await page.locator('#mode-once').check()
    await page.locator('#sum', { hasText: 'once' }).waitFor()
    await page.locator('#allow').click()
    expect(await answer()).toHaveProperty('code')
  })

  it('Enter in a field of the form shows the choice; it never allows', async () => {
    const { page, grants } = await asked({ javaScriptEnabled: false })
    await page.locator('#source-calendar > summary').click()
    await page.locator('#p-calendar-everything').click()
    await page.locator('[id="from/calendar"]').focus()
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
    expect(page.url()).toContain(`${place.server.url}/oauth/consent/`)
    expect(await grants()).toEqual([])
  })

  it('a click before the new sum is there gives nothing that was not shown', async () => {
    const { page, answer, grants } = await asked()
    await page.locator('#source-calendar > summary').click()
    await page.locator('#p-calendar-everything').click()
    await page.locator('#d-s-calendar-events').waitFor()
    // The answer to the next change never comes.
    await page.route('**/oauth/consent/*', (route) =>
      route.request().resourceType() === 'fetch' ? undefined : route.continue(),
    )
    await page.locator('#f-calendar-events-title').uncheck()
    await page.locator('#allow').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('You changed your choice.')
    expect(await grants()).toEqual([])
    await page.unroute('**/oauth/consent/*')
    await page.locator('#allow').click()
    await answer()
    expect((await grants())[0]!.streams[0]!.fields).not.toContain('title')
  })

  it('deny leads back to the client', async () => {
    const { page, answer } = await asked(PHONE)
    await page.locator('#deny').click()
    expect(await answer()).toMatchObject({ error: 'access_denied', state: 'st4te' })
  })

  it('fits and has no fault that axe finds, in every look', async () => {
    const { page } = await asked()
    const problems = problemsOf(page)
    for (const key of ['calendar', 'purchases', 'mail']) {
      await page.locator(`#source-${key} > summary`).click()
      await page.locator(`#p-${key}-metadata`).click()
      await page.locator(`#source-${key} .chosen`).waitFor()
    }
    for (const [look, shown] of Object.entries({ ...LOOKS, phone: { ...PHONE.viewport, isPhone: true } })) {
      await showAs(page, shown)
      await expectFaultless(page, look, shown)
      expect([look, problems]).toEqual([look, []])
    }
  })
})

/** The demo owner's server, and a client that listens on this computer. */
async function surroundings() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-test-'))
  await copyDemo(dataDir)
  const server = await startServer(serverConfig(dataDir))
  const client = createServer((_request, response) => response.end('Done')).listen(0, '127.0.0.1')
  await once(client, 'listening')
  const back = `http://127.0.0.1:${(client.address() as AddressInfo).port}/back`
  const close = async () => {
    client.close()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return { server, back, close }
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector)
  for (let presses = 0; presses < 300; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} cannot be reached with the keyboard.`)
}

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id')

async function grantsOf(server: RunningServer, clientId: string) {
  const stored = await server.context.storage.grants.list(OWNER, { limit: 100 })
  return stored.map(({ grant }) => grant).filter(({ client }) => client.client_id === clientId)
}

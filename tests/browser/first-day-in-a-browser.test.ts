// The first day of an owner in a real browser: the first page, the demo, an agent that connects, and no demo again.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER } from '@pdpp/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closePages, hasBrowser, realBrowser, signIn } from '../fixtures/real-browser.ts'
import { type TestServer, testServer } from '../fixtures/server.ts'
import { expectFaultless, LOOKS, press, problemsOf, showAs } from './page-checks.ts'

/** `PDPP_PICTURES=<folder>` takes pictures while the tests run, and writes the times that they took. */
const PICTURES = process.env['PDPP_PICTURES']
const BACK = 'http://127.0.0.1:9/callback'

describe.runIf(hasBrowser)('the first day in a real browser', { timeout: 240_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await realBrowser()
  })
  afterEach(closePages)

  async function firstPage(test: TestServer, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext({ timezoneId: 'Europe/Berlin', ...options })).newPage()
    page.setDefaultTimeout(60_000)
    await signIn(page, test.server.url + (await test.server.context.signIn.issueLink(OWNER)).path)
    await page.getByRole('heading', { name: 'Your data, on your server.' }).waitFor()
    return page
  }

  it('connects an agent in five clicks, and empties the server in one', async () => {
    const test = await testServer()
    const page = await firstPage(test)
    const problems = problemsOf(page)
    const clicks: string[] = []
    const started = Date.now()
    const times: Record<string, number> = {}
    const click = async (what: string, locator: ReturnType<Page['locator']>) => {
      clicks.push(what)
      await locator.click()
    }
    await click('Load the demo', page.getByRole('button', { name: 'Load the demo' }))
    await page.locator('.demo-bar').waitFor()
    times['demo loaded'] = Date.now() - started
    await click('Connect an agent', page.getByRole('link', { name: 'Connect an agent' }).first())
    await click('Copy the command', page.locator('.cmd button').first())
    // The agent opens the owner's browser at the consent page.
    const consent = await page.context().newPage()
    await consent.goto(await authorizationUrl(test))
    await click('Calendar', consent.locator('label[for="row-calendar"]'))
    await click('Allow', consent.getByRole('button', { name: 'Allow' }))
    // The previous page notices it by itself.
    await page.waitForURL(/\/agents\/connected\?id=/)
    times['agent connected'] = Date.now() - started
    expect(clicks).toHaveLength(5)
    await page.getByRole('heading', { name: 'Test agent is connected.' }).waitFor()
    expect(await page.locator('.say').textContent()).toMatch(/^Test agent may read Calendar, until /)
    const questions = await page.locator('.ask-it p').allTextContents()
    expect(questions).toHaveLength(3)
    expect(questions.join()).toContain('Feed the fish for Wilhelmina')
    for (const [look, shown] of Object.entries(LOOKS)) {
      await showAs(page, shown)
      await picture(page, `first-day-connected-${look}.png`)
      await expectFaultless(page, `connected ${look}`, shown)
    }
    expect(problems).toEqual([])
    await page.goto(test.server.url)
    await page.getByRole('button', { name: 'Remove demo data' }).first().click()
    await page.getByText('The demo data is gone.').waitFor()
    expect(await page.textContent('main')).toContain('Nothing is here yet, and nobody can read anything.')
    if (PICTURES)
      appendFileSync(
        join(PICTURES, 'first-day.jsonl'),
        `${JSON.stringify({ at: new Date().toISOString(), clicks: clicks.length, times })}\n`,
      )
  })

  it('starts and connects with the keyboard alone, without scripts', async () => {
    const test = await testServer()
    const page = await firstPage(test, { javaScriptEnabled: false })
    await press(page, 'form[action="/first-run/demo"] button')
    await page.locator('.demo-bar').waitFor()
    await press(page, '.over a[href="/agents/connect"]')
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
    await press(page, 'a.client[href*="client=codex"]')
    await page.waitForURL(/client=codex/)
    expect(await page.locator('#copy-codex').textContent()).toBe(`codex mcp add pdpp --url ${test.server.url}/mcp`)
    const consent = await page.context().newPage()
    await consent.goto(await authorizationUrl(test))
    await press(consent, '#row-calendar', 'Space')
    await press(consent, '#update')
    await consent.locator('#sum', { hasText: '1 of your' }).waitFor()
    await press(consent, '#allow')
    await press(page, '#waiting a')
    await page.getByRole('heading', { name: 'Test agent is connected.' }).waitFor()
  })

  it('has a first page without a fault that axe finds, in every look', async () => {
    const page = await firstPage(await testServer())
    const problems = problemsOf(page)
    for (const [look, shown] of Object.entries(LOOKS)) {
      await showAs(page, shown)
      await picture(page, `first-day-start-${look}.png`)
      await expectFaultless(page, `first page ${look}`, shown)
    }
    expect(problems).toEqual([])
    await page.getByRole('button', { name: 'Start with my own' }).click()
    await page.waitForURL(/\/import$/)
  })

  it('shows times in the zone of the browser, unless the owner chose another', async () => {
    const test = await testServer()
    const page = await firstPage(test)
    await page.goto(`${test.server.url}/settings`)
    expect(await page.textContent('#appearance')).toContain('Times are in your time zone, Europe/Berlin.')
    await page.getByLabel('Another time zone').fill('Asia/Tokyo')
    await page.getByLabel('Colours').selectOption('dark')
    await page.getByRole('button', { name: 'Save appearance' }).click()
    await page.getByText('Saved. The colours are those of this browser.').waitFor()
    expect(await page.textContent('#appearance')).toContain('Asia/Tokyo')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 20, 19)')
    await page.getByLabel('Another time zone').fill('Mars/Olympus')
    await page.getByRole('button', { name: 'Save appearance' }).click()
    await page.getByText('There is no time zone').waitFor()
  })

  it('focuses the search with one key', async () => {
    const test = await testServer()
    const page = await firstPage(test)
    await page.goto(`${test.server.url}/sources`)
    await page.keyboard.press('/')
    await page.keyboard.type('tent/rope')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/browse\?q=tent%2Frope/)
  })

  async function picture(page: Page, name: string): Promise<void> {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, name) })
  }
})

/** An agent registers and sends the owner's browser to this address, as real ones do. */
async function authorizationUrl({ server }: TestServer): Promise<string> {
  const registered = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [BACK], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const code_challenge = createHash('sha256')
    .update('a verifier that is long enough to be one, surely')
    .digest('base64url')
  const request = {
    response_type: 'code',
    client_id,
    redirect_uri: BACK,
    code_challenge,
    code_challenge_method: 'S256',
  }
  return `${server.url}/oauth/authorize?${new URLSearchParams({ ...request, state: 'first-day' })}`
}

// The console in a real browser: every page and form, by keyboard, on a phone, in the dark, and for screen readers.
// With PDPP_SCREENSHOTS=1 it also makes the pictures of docs/screenshots/console-*.png.
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closePages, hasBrowser, realBrowser, type SignedInState, signedInState } from '../fixtures/real-browser.ts'
import { archiveCommand, demoPlace, type Place } from './console-surroundings.ts'
import { expectFaultlessInEveryLook, press } from './page-checks.ts'

const DESKTOP = { viewport: { width: 1100, height: 900 } }
const DARK = { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' as const }
const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots')
const UNPICTURED = ['clients', 'package', 'view', 'backup', 'export', 'sessions', 'password']
const PICTURED = process.env['PDPP_SCREENSHOTS'] === '1'

describe.runIf(hasBrowser)('the console in a real browser', { timeout: 120_000 }, () => {
  let browser: Browser
  let place: Place
  let storageState: SignedInState

  beforeAll(async () => {
    place = await demoPlace({ archiveCommand })
    browser = await realBrowser()
    storageState = await signedInState(browser, await place.link())
  }, 120_000)
  afterEach(closePages)
  afterAll(() => place?.close())

  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const page = await (await browser.newContext({ ...options, storageState })).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(place.server.url + path)
    return page
  }

  const pages = (): Record<string, string> => ({
    home: '/',
    explore: '/browse',
    sources: '/sources',
    search: '/browse?q=dinner',
    stream: '/browse?connection=calendar&stream=events',
    record: '/r/notes%2Fnotes%3Anothing',
    access: '/agents',
    grant: `/agents/grants/${place.grantId}`,
    package: `/agents/packages/${place.packageId}`,
    clients: '/agents/clients',
    receipts: '/activity',
    connect: '/agents/connect',
    settings: '/settings',
    backup: '/settings/backup',
    export: '/settings/export',
    sessions: '/owner/sessions',
    password: '/owner/password',
    view: `/browse?as=${place.grantId}`,
  })

  it('fits and has no fault that axe finds, in every look', async () => {
    const first = await open('/browse?q=dinner')
    const record = await first.locator('.hits a').first().getAttribute('href')
    const paths = Object.entries({ ...pages(), record: record! })
    const addresses = Object.fromEntries(paths.map(([name, path]) => [name, place.server.url + path]))
    const context = await browser.newContext({ storageState })
    await expectFaultlessInEveryLook(context, addresses, async (page, name, look) => {
      if (PICTURED && !UNPICTURED.includes(name)) await picture(page, `console-${name}-${look}.png`)
      if (name === 'connect') await page.locator('.with-script').waitFor()
    })
  })

  it('fits where it is 320 pixels wide, as on a laptop at 400 %', async () => {
    const page = await open('/', { viewport: { width: 320, height: 640 } })
    for (const [name, path] of Object.entries({ ...pages(), import: '/import' })) {
      await page.goto(place.server.url + path)
      await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect([name, wider]).toEqual([name, 0])
    }
  })

  it('draws plots that link to their records, and works without scripts', async () => {
    const page = await open(pages()['stream']!)
    await page.locator('.wide-plot a').nth(5).click()
    await page.waitForURL(/since=\d{4}-\d\d-01&until=/)
    expect(await page.locator('.hits > li').count()).toBeGreaterThan(0)
    const plain = await open(pages()['stream']!, { javaScriptEnabled: false })
    expect(await plain.locator('.wide-plot .bar').count()).toBeGreaterThan(5)
    expect(await plain.locator('.wide-plot text').allTextContents()).toContain('0')
    await plain.locator('.numbers summary').click()
    expect(await plain.locator('.numbers tbody tr').count()).toBeGreaterThan(5)
  })

  it('prints dark on white, and keeps typed text when colours change', async () => {
    const page = await open(pages()['stream']!, DARK)
    await page.getByLabel('Search', { exact: true }).fill('half a word')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('half a word')
    const colours =
      'getComputedStyle(document.querySelector("h1")).color + getComputedStyle(document.body).backgroundColor'
    expect(await page.evaluate(colours)).toBe('rgb(27, 30, 29)rgb(255, 255, 255)')
  })

  it('copies the command for a client', async () => {
    const page = await open('/agents/connect')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('#claude-code button').click()
    await page.locator('#claude-code button', { hasText: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(
      `claude mcp add --transport http --scope user pdpp ${place.server.url}/mcp && claude mcp login pdpp`,
    )
    await page.getByRole('button', { name: 'Test it now' }).click()
    await page.getByText('Everything works').waitFor()
  })

  it('is searched with its form, and through the eyes of an agent', async () => {
    const page = await open(pages()['view']!)
    await page.getByLabel('Search', { exact: true }).fill('dinner')
    await page.keyboard.press('Enter')
    await page.locator('.hits mark').first().waitFor()
    expect(await page.textContent('main')).toContain('Looking as Trip planner.')
    await page.locator('.hits a').first().click()
    await page.waitForURL(/\/r\/.*as=grt_/)
    expect(await page.getByRole('link', { name: 'Who saw this?' }).count()).toBe(0)
  })

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('narrows, pauses and revokes by keyboard alone, %s', async (_name, javaScriptEnabled) => {
    const given = await place.grant({ client_name: 'Keyboard agent', connections: ['calendar'] })
    const read = () => place.read(given.access_token, '/v1/streams/events/records?limit=1&fields=description')
    expect(await read()).toBe(200)
    const page = await open(`/agents/grants/${given.grant_id}`, { javaScriptEnabled })
    await press(page, '#narrow > summary')
    await press(page, '#narrow fieldset summary')
    await press(page, '#field-events-description', 'Space')
    await press(page, '#narrow button')
    await page.getByText('Access reduced. The agent keeps working').waitFor()
    expect(await read()).toBe(403)
    expect(await place.read(given.access_token, '/v1/streams/events/records?limit=1')).toBe(200)
    await press(page, 'form[action$="/pause"] button')
    await page.getByText('Paused. It gets nothing until you resume it.').waitFor()
    expect(await place.read(given.access_token, '/v1/schema')).toBe(403)
    await press(page, 'form[action$="/resume"] button')
    await page.getByText('Resumed. It works again').waitFor()
    await press(page, '#revoke > summary')
    await press(page, '#revoke button')
    await page.getByText("Access revoked. It can't read anything any more.").waitFor()
    expect(await place.read(given.access_token, '/v1/schema')).toBe(403)
  })

  it('filters receipts, checks the chain, and saves settings', async () => {
    const page = await open('/activity')
    await page.getByLabel('Outcome').selectOption('refused')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/outcome=refused/)
    expect(await page.locator('.receipt').count()).toBeGreaterThan(0)
    expect(await page.locator('.receipt:not(:has-text("refused"))').count()).toBe(0)
    await page.getByRole('button', { name: 'Check all again' }).click()
    await page.getByText('Log verified').waitFor()
    await page.goto(`${place.server.url}/settings`)
    await page.getByLabel('Keep entries').selectOption('365')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByLabel('Keep entries').inputValue()).toBe('365')
    await page.getByRole('button', { name: 'Rebuild the index' }).click()
    await page.getByText('Rebuilding the search index.').waitFor()
  })
})

/** Loads the page again in this look. The picture shows the usual folder instead of the temporary one of the test. */
async function picture(page: Page, name: string): Promise<void> {
  await page.reload()
  if (name.includes('connect')) await page.locator('.with-script').waitFor()
  await page.evaluate(`for (const part of document.querySelectorAll('code .theirs'))
    if (part.textContent.includes('pdpp-test-')) part.textContent = '/home/you/.pdpp/server'`)
  await page.screenshot({ path: join(folder, name) })
}

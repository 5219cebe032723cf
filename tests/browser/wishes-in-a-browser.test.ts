// Wishes in a real browser: seen on Home and on the agent's page, allowed with two clicks, by keyboard, without
// scripts, on a phone, in the dark, and for screen readers. With PDPP_SCREENSHOTS=1 it makes a picture for the docs.
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { closePages, hasBrowser, realBrowser, type SignedInState, signedInState } from '../fixtures/real-browser.ts'
import { verifies } from '../fixtures/verifies.ts'
import { demoPlace, type Place } from './console-surroundings.ts'
import { expectFaultlessInEveryLook, LOOKS, press, problemsOf, showAs } from './page-checks.ts'

const PICTURE = join(import.meta.dirname, '..', '..', 'docs', 'screenshots', 'console-wish-desktop.png')

describe.runIf(hasBrowser)('wishes in a real browser', { timeout: 120_000 }, () => {
  let browser: Browser
  let place: Place
  let storageState: SignedInState

  beforeAll(async () => {
    place = await demoPlace()
    browser = await realBrowser()
    storageState = await signedInState(browser, await place.link())
  }, 120_000)
  afterEach(closePages)
  afterAll(() => place?.close())

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext({ viewport: LOOKS['desktop']!, ...options, storageState })).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(place.server.url + path)
    return page
  }

  /** An agent that reads the subjects of one mail account, and asked for something else. */
  async function refusedAgent(name: string, asked: string) {
    const made = await place.grant({
      ...{ client_name: name, connections: ['mail-personal'], since: '2026-03-01' },
      streams: [{ name: 'messages', fields: ['subject'] }],
    })
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${made.access_token}` }
      const answer = await fetch(place.server.url + path, { headers })
      return { status: answer.status, body: (await answer.json()) as any }
    }
    const { body } = await get(asked)
    return { grantId: made.grant_id, get, path: new URL(body.error.request_access_url).pathname }
  }

  const NOTES = '/v1/streams/notes/records?connection_id=notes&limit=1'

  verifies('point 43', 'from Home to the allowed source in two clicks, with scripts', async () => {
    const agent = await refusedAgent('Kettle agent', '/v1/streams/notes/records')
    const page = await open('/')
    const problems = problemsOf(page)
    await page.locator('li', { hasText: 'Kettle agent asked for Notes' }).getByRole('link', { name: 'Review' }).click()
    expect(await page.locator('h1').textContent()).toContain('Kettle agent asks for Notes')
    // Everything that is approved is visible without scrolling: the items, both periods, the sentence and the answer.
    for (const part of ['.items', '#reach-rest', '#end-rest', '#sum', '#deny', '#allow'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, true])
    const { scrollHeight } = (await page.evaluate('({ scrollHeight: document.documentElement.scrollHeight })')) as any
    expect(scrollHeight).toBeLessThanOrEqual(900)
    if (process.env['PDPP_SCREENSHOTS'] === '1') await page.screenshot({ path: PICTURE })
    await page.locator('#allow').click()
    await page.waitForURL(/\?done=widened$/)
    expect((await agent.get(NOTES)).status).toBe(200)
    expect(problems).toEqual([])
  })

  verifies('point 43', 'Allow waits until a changed choice is shown, and shows exactly that', async () => {
    const agent = await refusedAgent('Ledger agent', '/v1/streams/events/records')
    const page = await open(agent.path)
    const before = await page.locator('#sum').textContent()
    await page.locator('label:has(#reach-30)').click()
    await page.locator('#sum', { hasNotText: before! }).waitFor()
    await page.locator('input[name=part]').first().uncheck()
    await page.locator('#sum', { hasText: 'Tick at least one thing.' }).waitFor()
    expect(await page.locator('#allow').isDisabled()).toBe(true)
    await page.locator('input[name=part]').first().check()
    await page.locator('#sum', { hasText: 'Ledger agent may also read' }).waitFor()
    await page.locator('#allow:enabled').waitFor()
    await page.locator('#allow').click()
    await page.waitForURL(/\?done=widened$/)
    const path = '/v1/streams/events/records?connection_id=calendar&filter[starts_at][lt]=2026-03-01'
    expect((await agent.get(path)).body.error.code).toBe('grant_time_range_exceeded')
  })

  verifies('point 43', 'works without scripts: an empty choice comes back with a sentence', async () => {
    const agent = await refusedAgent('Plain agent', '/v1/streams/contacts/records')
    const page = await open(agent.path, { javaScriptEnabled: false })
    await page.locator('#allow').click()
    expect(await page.getByRole('alert').textContent()).toContain('Tick at least one thing.')
    // Contacts are sensitive, so the owner ticks them, looks, and allows.
    await page.locator('input[name=part]').first().check()
    await page.locator('#update').click()
    expect(await page.locator('#sum').textContent()).toContain('Plain agent may also read Contacts')
    await page.locator('#allow').click()
    await page.waitForURL(/\?done=widened$/)
    expect((await agent.get('/v1/streams/contacts/records?connection_id=contacts&limit=1')).status).toBe(200)
  })

  verifies('point 43', 'by keyboard alone: deny, silence, take it back, and make a token', async () => {
    const agent = await refusedAgent('Keys agent', '/v1/streams/messages/records?fields=body')
    const page = await open(agent.path)
    await press(page, '#deny')
    await page.waitForURL(/\?done=wish_denied$/)
    expect(await page.getByRole('status').first().textContent()).toContain('Denied.')
    await press(page, '#wishes details summary')
    await press(page, '#wishes button')
    await page.waitForURL(/\?done=wish_forgotten$/)
    await agent.get('/v1/streams/messages/records?fields=body')
    await page.goto(place.server.url + agent.path)
    await press(page, '#silence')
    await page.waitForURL(/\?done=wish_silenced$/)
    await page.goto(`${place.server.url}/agents/new`)
    await page.locator('#name').focus()
    await page.keyboard.type('Nightly script')
    await press(page, '#source-music', 'Space')
    await page.locator('#allow:enabled').waitFor()
    await press(page, '#allow')
    const token = await page.locator('.token-once').textContent()
    expect(token).toMatch(/^pdpp_/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'button[data-copy=token]')
    await page.locator('button[data-copy=token]', { hasText: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
  })

  verifies(['point 43', 'checklist 31'], 'every look of every page is faultless', async () => {
    const asked = await refusedAgent('Look agent', '/v1/streams/notes/records')
    const field = await refusedAgent('Field agent', '/v1/streams/messages/records?fields=body')
    const none = await refusedAgent('Dream agent', '/v1/streams/dreams/records')
    const paths = {
      ...{ wish: asked.path, field: field.path, nothing: none.path, agent: `/agents/grants/${asked.grantId}` },
      ...{ hand: `/agents/grants/${asked.grantId}/widen`, new: '/agents/new', home: '/', agents: '/agents' },
      copy: `/agents/new?copy=${asked.grantId}`,
    }
    const addresses = Object.entries(paths).map(([name, path]) => [name, place.server.url + path])
    await expectFaultlessInEveryLook(await browser.newContext({ storageState }), Object.fromEntries(addresses))
    // On a phone the answer is in view as the page opens.
    const phone = await open('/')
    await showAs(phone, LOOKS['phone']!)
    await phone.goto(place.server.url + asked.path)
    const box = (await phone.locator('#allow').boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(LOOKS['phone']!.height)
  })
})

// Unknown applications, and requests that cannot be used, as the owner sees them in a real browser.
import { OWNER } from '@pdpp/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closePages, hasBrowser, realBrowser, signIn } from '../fixtures/real-browser.ts'
import { verifies } from '../fixtures/verifies.ts'
import { type ClientPlace, clientPlace } from './client-surroundings.ts'
import { faults } from './page-checks.ts'

const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true }
const CLAUDE = 'https://claude.ai/oauth/claude-code-client-metadata'

/** Every name of another host is unknown. */
const OFFLINE = {
  resolve: async (): Promise<never> => {
    throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
  },
  isAllowed: () => true,
}

describe.runIf(hasBrowser)('strangers, in a real browser', () => {
  let browser: Browser
  let place: ClientPlace

  beforeAll(async () => {
    place = await clientPlace({ reach: OFFLINE })
    browser = await realBrowser()
  })
  afterEach(closePages)
  afterAll(() => place?.close())

  const newPage = async (options = {}) => (await browser.newContext(options)).newPage()

  async function signedIn(options = {}): Promise<Page> {
    const page = await newPage(options)
    page.setDefaultTimeout(30_000)
    await signIn(page, place.server.url + (await place.server.context.signIn.issueLink(OWNER)).path)
    return page
  }

  const request = (clientId: string, redirectUri: string, params: Record<string, string> = {}) =>
    `${place.server.url}/oauth/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
      state: 'st4te',
      ...params,
    })}`

  const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

  verifies('checklist 1', 'an error never redirects by itself; the owner follows a link', async () => {
    const { server, back } = place
    const { clientId } = await server.context.clients.register({ client_name: 'Stranger', redirect_uris: [back] })
    const address = request(clientId, back, { prompt: 'none' })
    const visitor = await newPage()
    await visitor.goto(address)
    expect(new URL(visitor.url()).origin).toBe(server.url)
    expect(await visitor.getByRole('link', { name: 'Go back' }).count()).toBe(0)
    expect(await faults(visitor)).toEqual([])
    const page = await signedIn(PHONE)
    await page.goto(address)
    expect([await faults(page), await isWide(page)]).toEqual([[], false])
    await page.getByRole('link', { name: 'Go back to the application' }).click()
    await page.waitForURL((url) => url.href.startsWith(back))
    expect(new URL(page.url()).searchParams.get('error')).toBe('login_required')
  })

  verifies('checklist 7', 'a program whose description is out of reach is allowed as what it is', async () => {
    const page = await signedIn(PHONE)
    await page.goto(request(CLAUDE, place.back))
    const text = await page.locator('main').innerText()
    expect(text).toContain('A program on this computer')
    expect(text).toContain('could not reach claude.ai: name not found')
    expect([await faults(page), await isWide(page)]).toEqual([[], false])
    await page.goto(request(CLAUDE, 'https://claude.ai/api/mcp/auth_callback'))
    expect(await page.locator('main').innerText()).toContain('could not reach claude.ai: name not found')
    expect(await faults(page)).toEqual([])
  })

  verifies('checklist 5', 'the page names missing sources, and the others can be granted', async () => {
    const { server, back } = place
    const { clientId } = await server.context.clients.register({ client_name: 'Curious', redirect_uris: [back] })
    const [declaration] = await server.context.storage.sources.list(OWNER)
    const detail = (id: string, name: string) => ({
      type: 'https://pdpp.dev/data-access',
      source: { id },
      purpose_code: 'https://pdpp.dev/purpose/agent_context',
      access_mode: 'continuous',
      streams: [{ name }],
    })
    const known = detail(declaration!.source.id, declaration!.streams[0]!.name)
    const details = [known, detail('https://bank.example/accounts', 'balances')]
    const page = await signedIn()
    await page.goto(request(clientId, back, { authorization_details: JSON.stringify(details) }))
    expect(await page.locator('main').innerText()).toContain('The source https://bank.example/accounts')
    expect(await faults(page)).toEqual([])
    await page.locator('#allow').click()
    await page.waitForURL((url) => url.href.startsWith(back))
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/./)
  })

  verifies('checklist 13', 'a program that asks for everything is listed first', async () => {
    const { server } = place
    const { clientId } = await server.context.clients.register({ client_name: 'Owner agent ✔ verified' })
    const begun = await fetch(`${server.url}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId }),
    })
    const { user_code } = (await begun.json()) as { user_code: string }
    const page = await signedIn(PHONE)
    await page.goto(`${server.url}/device?user_code=${user_code}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#list').waitFor()
    expect(await page.locator('#allow').count()).toBe(0)
    expect([await faults(page), await isWide(page)]).toEqual([[], false])
    await page.locator('#list').click()
    await page.locator('#full_access').check()
    expect(await faults(page)).toEqual([])
    await page.locator('#allow').click()
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()
    await page.goto(`${server.url}/agents/clients/${clientId}`)
    await page.getByRole('button', { name: 'Remove it from the list' }).click()
    await page.getByText('It may no longer ask for full access.').waitFor()
    expect([await faults(page), await isWide(page)]).toEqual([[], false])
  })

  it('agents that only asked are folded away', async () => {
    const page = await signedIn(PHONE)
    await page.goto(`${place.server.url}/agents/clients`)
    expect([await faults(page), await isWide(page)]).toEqual([[], false])
    const folded = page.locator('details a', { hasText: 'Stranger' })
    expect(await folded.isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'Others that asked' }).click()
    expect(await folded.isVisible()).toBe(true)
  })
})

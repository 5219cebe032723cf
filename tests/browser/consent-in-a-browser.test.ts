// The consent page in a real browser: by keyboard alone, on a phone, with scripts and without, and for screen readers.
import { createHash } from 'node:crypto'
import { OWNER, type RunningServer } from '@pdpp/server'
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addManySources } from '../fixtures/many-sources.ts'
import { closePages, hasBrowser, realBrowser, type SignedInState, signedInState } from '../fixtures/real-browser.ts'
import { type ClientPlace, clientPlace } from './client-surroundings.ts'
import { expectFaultless, faults, LOOKS, problemsOf, showAs } from './page-checks.ts'

const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-in-all'
const PHONE = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true }

describe.runIf(hasBrowser)('the consent page in a real browser', { timeout: 120_000 }, () => {
  let browser: Browser
  let place: ClientPlace
  let storageState: SignedInState

  beforeAll(async () => {
    place = await clientPlace()
    browser = await realBrowser()
    const { server } = place
    storageState = await signedInState(browser, server.url + (await server.context.signIn.issueLink(OWNER)).path)
  }, 120_000)
  afterEach(closePages)
  afterAll(() => place?.close())

  /** A client asks for sources that it names or for nothing, and the owner sees the page. */
  async function asked(options: BrowserContextOptions = {}, sources?: readonly string[], client_name = 'Assistant') {
    const { server, back } = place
    const { clientId } = await server.context.clients.register({ client_name, redirect_uris: [back] })
    const page = await (await browser.newContext({ ...options, storageState })).newPage()
    page.setDefaultTimeout(30_000)
    const details = sources && { authorization_details: JSON.stringify(await detailsOf(server, sources)) }
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: back,
      response_type: 'code',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'st4te',
      ...details,
    })
    const again = () => page.goto(`${server.url}/oauth/authorize?${query}`)
    await again()
    const answer = async () => {
      await page.waitForURL((url) => url.href.startsWith(back))
      return Object.fromEntries(new URL(page.url()).searchParams)
    }
    return { page, answer, again, grants: () => grantsOf(server, clientId) }
  }

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('is decided by keyboard alone, %s', async (_name, scripts) => {
    const { page, answer, grants } = await asked({ javaScriptEnabled: scripts })
    await tabTo(page, '#row-calendar')
    await page.keyboard.press('Space')
    if (!scripts) {
      await tabTo(page, '#update')
      await page.keyboard.press('Enter')
    }
    await page.locator('#sum', { hasText: '1 of your 9 sources' }).waitFor()
    await tabTo(page, '#source-calendar > summary')
    await page.keyboard.press('Enter')
    await tabTo(page, '#d-s-calendar-events > summary')
    await page.keyboard.press('Enter')
    await tabTo(page, '#f-calendar-events-description')
    await page.keyboard.press('Space')
    if (!scripts) {
      await tabTo(page, '#update')
      await page.keyboard.press('Enter')
    }
    await page.locator('.line.on', { hasText: 'without some fields' }).waitFor()
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

  describe('costs few clicks', () => {
    /** Clicks with the mouse, and waits until the page shows the result. */
    const hand = (page: Page) => {
      const made: string[] = []
      return {
        made,
        click: async (selector: string) => {
          made.push(selector)
          await page.locator(selector).click()
        },
      }
    }

    it('one where the agent names what it needs, without the sensitive', async () => {
      const { page, answer, grants } = await asked({}, ['mail', 'calendar', 'purchases'])
      const { click, made } = hand(page)
      await click('#allow')
      expect(await answer()).toHaveProperty('code')
      expect(made).toHaveLength(1)
      expect(await given(grants)).toEqual({ calendar: ['calendar'], mail: ['mail-personal', 'mail-work'] })
    })

    it('two with a quick choice', async () => {
      const { page, answer, grants } = await asked()
      const { click, made } = hand(page)
      await click('#p-all-ordinary')
      await click('#allow')
      expect(await answer()).toHaveProperty('code')
      expect(made).toHaveLength(2)
      expect(Object.keys(await given(grants)).toSorted()).toEqual([
        'assistant',
        'calendar',
        'chat',
        'mail',
        'music',
        'notes',
      ])
    })

    it('four for three sources by hand', async () => {
      const { page, answer, grants } = await asked()
      const { click, made } = hand(page)
      // The whole line acts as the tick.
      await click('label[for="c-mail-mail-work"]')
      await click('#row-notes')
      await click('label[for="row-music"]')
      await click('#allow')
      expect(await answer()).toHaveProperty('code')
      expect(made).toHaveLength(4)
      expect(await given(grants)).toEqual({ mail: ['mail-work'], music: ['music'], notes: ['notes'] })
    })
  })

  it('is one screen with nine sources, and leads nowhere else', async () => {
    const { page } = await asked({ viewport: LOOKS['desktop']! })
    expect(await page.locator('.line').count()).toBe(9)
    await expectOneScreen(page)
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links.filter((href) => !href!.startsWith('#'))).toEqual([])
    expect(await page.locator('nav').count()).toBe(0)
  })

  it('shows sources, both periods and the answer on a phone', async () => {
    const { page } = await asked({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    expect(await inView(page, '.period')).toBe(2)
    expect(await inView(page, '#allow, #deny')).toBe(2)
    expect(await inView(page, '.line > .head-line')).toBeGreaterThanOrEqual(5)
  })

  it('lets nobody allow nothing, nor anything that is not shown yet', async () => {
    const { page, grants } = await asked()
    expect(await page.locator('#allow').isDisabled()).toBe(true)
    expect(await page.textContent('#sum')).toBe('Tick at least one source.')
    await page.locator('#row-notes').check()
    await page.locator('#allow:enabled').waitFor()
    await page.locator('#p-all-nothing').click()
    await page.locator('#sum', { hasText: 'Tick at least one source.' }).waitFor()
    expect(await page.locator('#allow').isDisabled()).toBe(true)
    expect(await grants()).toEqual([])
  })

  it('without scripts an empty choice comes back with a sentence', async () => {
    const { page, answer, grants } = await asked({ javaScriptEnabled: false })
    expect(await page.locator('#allow').isEnabled()).toBe(true)
    await page.locator('#allow').click()
    expect(await page.getByRole('alert').textContent()).toContain('Tick at least one source')
    expect(await grants()).toEqual([])
    await page.locator('#p-all-ordinary').click()
    expect(await page.textContent('#sum')).toContain('7 of your 9 sources')
    await page.locator('#row-music').uncheck()
    await page.locator('#back-365').check()
    await page.locator('#ends-7').check()
    // A changed choice is shown before it is allowed.
    await page.locator('#allow').click()
    expect(await page.getByRole('alert').textContent()).toContain('You changed your choice.')
    expect(await page.textContent('#sum')).toMatch(/6 of your 9 sources, the last 12 months, until/)
    await page.locator('#allow').click()
    await answer()
    expect(Object.keys(await given(grants))).not.toContain('music')
  })

  it('remembers what this agent had, and offers what another has', async () => {
    const first = await asked({}, undefined, 'Reader')
    await first.page.locator('#row-notes').check()
    await first.page.locator('#row-calendar').check()
    await first.page.locator('#allow').click()
    await first.answer()
    await first.again()
    expect(await first.page.textContent('.earlier')).toMatch(/It may already read Calendar, Notes\./)
    // No part of it is ticked until the owner ticks it.
    expect(await first.page.locator('.line.on').count()).toBe(0)
    await first.page.locator('#p-same-again').click()
    await first.page.locator('#sum', { hasText: '2 of your 9 sources' }).waitFor()
    const second = await asked({}, undefined, 'Other')
    await second.page.getByRole('button', { name: 'Same as Reader' }).click()
    await second.page.locator('#sum', { hasText: '2 of your 9 sources' }).waitFor()
    expect(await second.page.locator('#row-notes').isChecked()).toBe(true)
  })

  it('shows the result of a choice at once, also to screen readers', async () => {
    const { page, answer } = await asked()
    await page.locator('#source-chat > summary').click()
    await page.locator('#source-chat .items').waitFor()
    await page.locator('#p-chat-last_30_days').click()
    await page.locator('#announce', { hasText: 'only the days that you set' }).waitFor()
    const recent = await page.textContent('#sum')
    expect(await page.textContent('#announce')).toBe(recent)
    await page.locator('#p-chat-everything').click()
    await page.locator('#announce', { hasText: 'from any time' }).waitFor()
    await page.locator('#days-chat > summary').click()
    await page.locator('[id="from/chat"]').fill('2026-01-01')
    await page.locator('[id="to/chat"]').fill('2026-01-31')
    await page.locator('#deny').focus()
    await page.locator('#announce', { hasText: 'only the days that you set' }).waitFor()
    expect(await page.textContent('#sum')).not.toBe(recent)
    await page.locator('#ends-once').check()
    await page.locator('#sum', { hasText: 'for 1 hour' }).waitFor()
    await page.locator('#allow').click()
    expect(await answer()).toHaveProperty('code')
  })

  it('Enter in a field of the form shows the choice; it never allows', async () => {
    const { page, grants } = await asked({ javaScriptEnabled: false })
    await page.locator('#row-calendar').check()
    await page.locator('#update').click()
    await page.locator('#source-calendar > summary').click()
    await page.locator('#days-calendar > summary').click()
    await page.locator('[id="from/calendar"]').focus()
    await page.keyboard.press('Enter')
    await page.waitForLoadState()
    expect(page.url()).toContain(`${place.server.url}/oauth/consent/`)
    expect(await grants()).toEqual([])
  })

  it('an answer before the new sum is there gives nothing that was not shown', async () => {
    const { page, answer, grants } = await asked()
    await page.locator('#row-calendar').check()
    await page.locator('#sum', { hasText: '1 of your 9 sources' }).waitFor()
    // The answer to the next change never comes.
    await page.route('**/oauth/consent/*', (route) =>
      route.request().resourceType() === 'fetch' ? undefined : route.continue(),
    )
    await page.locator('#row-notes').check()
    expect(await page.locator('#allow').isDisabled()).toBe(true)
    // Somebody presses it anyway.
    await page.evaluate("const allow = document.getElementById('allow'); allow.disabled = false; allow.click()")
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('You changed your choice.')
    expect(await grants()).toEqual([])
    await page.unroute('**/oauth/consent/*')
    await page.locator('#allow').click()
    await answer()
    expect(await given(grants)).toEqual({ calendar: ['calendar'], notes: ['notes'] })
  })

  it('deny leads back to the client', async () => {
    const { page, answer } = await asked(PHONE)
    await page.locator('#deny').click()
    expect(await answer()).toMatchObject({ error: 'access_denied', state: 'st4te' })
  })

  it('fits and has no fault that axe finds, in every look', async () => {
    const { page } = await asked()
    const problems = problemsOf(page)
    for (const key of ['calendar', 'purchases', 'notes']) {
      await page.locator(`#row-${key}`).check()
      await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
    }
    for (const [look, shown] of Object.entries({ ...LOOKS, phone: { ...PHONE.viewport, isPhone: true } })) {
      await showAs(page, shown)
      await expectFaultless(page, look, shown)
      expect([look, problems]).toEqual([look, []])
    }
  })

  // The last tests: they add fifty-one sources.
  describe('with sixty sources', () => {
    beforeAll(() => addManySources(place.server), 60_000)

    it('is one screen of kinds, and finds a source by name', async () => {
      const { page, answer, grants } = await asked({ viewport: LOOKS['desktop']! })
      await expectOneScreen(page)
      await page.locator('#g-mail').check()
      await page.locator('#sum', { hasText: '5 of your 60 sources' }).waitFor()
      await page.locator('#find').fill('album 3')
      await page.locator('#row-photo_album_3').check()
      await page.locator('#sum', { hasText: '6 of your 60 sources' }).waitFor()
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.locator('#g-photo.mixed').waitFor()
      expect(await page.locator('#g-photo').evaluate((box) => (box as { indeterminate?: boolean }).indeterminate)).toBe(
        true,
      )
      await page.locator('#allow').click()
      await answer()
      expect(Object.keys(await given(grants))).toContain('photo_album_3')
    })

    it('finds a name that was typed before the script ran', async () => {
      const { page, again } = await asked()
      const script = Promise.withResolvers<Route>()
      await page.route('**/assets/consent.js*', script.resolve)
      const shown = again()
      // The new page has asked for its script, so the field is no longer that of the page before it.
      const held = await script.promise
      await page.locator('#find').fill('album 3')
      await Promise.all([shown, held.continue()])
      await page.locator('#row-photo_album_3').check()
      await page.locator('#sum', { hasText: '1 of your 60 sources' }).waitFor()
    })

    it('shows the samples of a source when its folds are opened', async () => {
      const { page } = await asked()
      await page.locator('#group-note > summary').click()
      await page.locator('#source-notebook_2 > summary').click()
      await page.locator('#source-notebook_2 .items', { hasText: 'The first of Notebook 2' }).waitFor()
      expect(await page.locator('#row-notebook_2').isChecked()).toBe(false)
    })

    it('has no fault that axe finds', async () => {
      const { page } = await asked()
      const problems = problemsOf(page)
      for (const [look, shown] of Object.entries(LOOKS)) {
        await showAs(page, shown)
        expect([look, await faults(page)]).toEqual([look, []])
      }
      expect(problems).toEqual([])
    })
  })
})

/** Nothing to scroll, and both periods, every line and the answer in view. */
async function expectOneScreen(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0)
  expect(await inView(page, '.period')).toBe(2)
  expect(await inView(page, '#allow, #deny')).toBe(2)
  const lines = '.what > .lines > .line > .head-line'
  expect(await inView(page, lines)).toBe(await page.locator(lines).count())
}

/** The number of these elements that are completely in view, with nothing over their middle. */
const inView = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    if (top < 0 || left < 0 || right > innerWidth || bottom > innerHeight) return false
    return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  }).length`)

type Grants = Awaited<ReturnType<typeof grantsOf>>

/** The connections that were given, by source. */
async function given(grants: () => Promise<Grants>): Promise<Record<string, string[]>> {
  const all = (await grants()).map(({ source, streams }) => [
    source.connector_key,
    [...new Set(streams.flatMap(({ instance_ids }) => instance_ids))].toSorted(),
  ])
  return Object.fromEntries(all)
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

async function grantsOf(server: RunningServer, clientId: string) {
  const stored = await server.context.storage.grants.list(OWNER, { limit: 100 })
  return stored.map(({ grant }) => grant).filter(({ client }) => client.client_id === clientId)
}

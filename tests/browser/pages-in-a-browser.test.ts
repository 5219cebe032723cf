// A real browser against a real server: what it sends with forms, what it refuses to run, how pages fit a screen.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { declaration, key, stream, text } from '../fixtures/declaration.ts'
import { type RunningServer, runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { closePages, hasBrowser, realBrowser, signIn } from '../fixtures/real-browser.ts'

const PASSWORD = 'poppy seed and rye'
const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202egnp.exe`
const SIZES: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1200, height: 800 } },
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1200, height: 800 }, colorScheme: 'dark' },
  'without scripts': { javaScriptEnabled: false },
}

describe.runIf(hasBrowser)('in a real browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await realBrowser()
  })
  afterEach(closePages)

  it('signs in, sets a password, signs out, and returns to the record', async () => {
    const { server } = await serverWithRecord()
    const page = await open(browser)
    await signIn(page, printedLink(server))
    expect([page.url(), await page.title()]).toEqual([`${server.url}/`, 'Home · PDPP'])
    await page.getByRole('link', { name: 'Set a password' }).click()
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('The new password again').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set a password' }).click()
    expect(await page.textContent('main')).toContain('A password is set.')
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    const record = `${server.url}/r/books%2Fbooks%3A1`
    await page.goto(record)
    expect(await page.title()).toBe('Sign in · PDPP')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('That is not the password.')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(record)
    expect(await page.textContent('h1')).toBe('The Lighthouse')
    const cookies = await page.context().cookies()
    expect(cookies.filter(({ name }) => name !== 'pdpp_zone_seen')).toEqual([
      expect.objectContaining({ name: 'pdpp_session', httpOnly: true, sameSite: 'Lax' }),
    ])
  })

  it('shows hostile text and runs none of it, in every look', async () => {
    const { server, dataDir } = await serverWithRecord(HOSTILE)
    const link = (await runPdpp(['owner', 'login'], { dataDir })).stdout.trim()
    const first = await open(browser)
    await first.goto(link)
    await first.getByRole('button', { name: 'Sign in' }).click()
    const storageState = await first.context().storageState()
    for (const [name, options] of Object.entries(SIZES)) {
      const page = await open(browser, { ...options, storageState })
      for (const path of ['/', '/r/books%2Fbooks%3A1', '/owner/sessions', '/owner/password', '/nowhere']) {
        const problems: string[] = []
        page.on('console', (message) => problems.push(message.text()))
        page.on('pageerror', (error) => problems.push(String(error)))
        await page.goto(server.url + path)
        // 404 pages are reported to the console as such.
        expect([name, path, problems.filter((text) => !text.includes('404'))]).toEqual([name, path, []])
        expect(await page.title()).not.toBe('owned')
        if (options.javaScriptEnabled === false) continue
        const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect([name, path, wider]).toEqual([name, path, 0])
        expect([name, path, await faintTexts(page)]).toEqual([name, path, []])
      }
      await page.goto(`${server.url}/r/books%2Fbooks%3A1`)
      expect(await page.textContent('h1')).toContain("<script>document.title='owned'</script>")
      expect(await page.locator('h1 .sign').textContent()).toBe('U+202E')
    }
  })

  it('cuts long titles at their end, in either direction', async () => {
    for (const word of ['מגדלור', 'lighthouse']) {
      const { server } = await serverWithRecord(Array.from({ length: 13 }, (_, n) => `${word} ${n}`).join(', '))
      const page = await open(browser, SIZES['phone'])
      await signIn(page, printedLink(server))
      await page.goto(`${server.url}/browse?stream=books`)
      expect([word, await showsFirstAndCutsLast(page)]).toEqual([word, [true, true]])
    }
  })

  it('cannot be framed, or posted to, by a page of another origin', async () => {
    const { server, dataDir } = await serverWithRecord()
    await runPdpp(['owner', 'reset-password'], { dataDir, input: `${PASSWORD}\n` })
    const page = await open(browser)
    await page.route('https://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${server.url}/owner/sign-in"></iframe>
          <form method="post" action="${server.url}/owner/sign-in"><input name="password" value="${PASSWORD}"><button>Go</button></form>`,
      }),
    )
    await page.goto('https://evil.example/')
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    expect(await framed?.locator('form').count()).toBe(0)
    await page.getByRole('button', { name: 'Go' }).click()
    await page.waitForURL(`${server.url}/**`)
    expect(await page.textContent('main')).toContain('origin_not_allowed')
    expect((await page.context().cookies(server.url)).filter(({ name }) => name !== 'pdpp_zone_seen')).toEqual([])
  })
})

async function open(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(30_000)
  return page
}

const printedLink = (server: RunningServer) => /http\S+\/owner\/sign-in\/link\/[\w-]{43}/.exec(server.output())![0]

/** Whether the row of the first record shows the first letter of its title, and cuts off the last. */
function showsFirstAndCutsLast(page: Page): Promise<[boolean, boolean]> {
  return page.evaluate(`(() => {
    const row = document.querySelector('.row .cut').getBoundingClientRect()
    const text = document.querySelector('.row .cut .theirs').firstChild
    const isIn = (at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      const { left, right } = range.getBoundingClientRect()
      return left >= row.left - 1 && right <= row.right + 1
    }
    return [isIn(0), !isIn(text.length - 1)]
  })()`)
}

/** Texts with less contrast than WCAG 2.2 AA asks for (1.4.3). */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    const parse = (text) => text.match(/[\\d.]+/g).map(Number)
    const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255)
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor)
        if (colour.length === 3 || colour[3] === 1) return colour
      }
      return [255, 255, 255]
    }
    return [...document.querySelectorAll('body *')].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    ).flatMap((element) => {
      const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x)
      const ratio = (a + 0.05) / (b + 0.05)
      return ratio < 4.5 ? [element.textContent.slice(0, 40) + ' ' + ratio.toFixed(2)] : []
    })
  })()`)
}

async function serverWithRecord(title = 'The Lighthouse'): Promise<{ server: RunningServer; dataDir: string }> {
  const dataDir = temporaryDirectory()
  const server = await startServerProcess({ dataDir })
  while (!server.output().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 20))
  const token = (await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await send('/connectors', declaration('books', { books: stream({ id: key(), title: text() }) }))
  await send('/v1/owner/connections', { connector_key: 'books', connection_id: 'books', display_name: title })
  await send('/v1/ingest/books?connection_id=books', { data: { id: '1', title } })
  return { server, dataDir }
}

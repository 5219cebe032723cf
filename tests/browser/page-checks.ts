// Checks for every page in a browser: no accessibility fault, and no need for a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Dark mode changes only colours, and a phone changes anything else: each checks its part of the rules again. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

export interface Look {
  readonly width: number
  readonly height: number
  readonly isDark?: boolean
  readonly isPhone?: boolean
}

export const LOOKS: Readonly<Record<string, Look>> = {
  desktop: { width: 1440, height: 900 },
  dark: { width: 1440, height: 900, isDark: true },
  phone: { width: 390, height: 844, isPhone: true },
}

/** One session for each page: a size that was set by one session is not taken back by another. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * Shows an open page in another size and other colours. Opening a new page for each look would take as long as all
 * checks.
 */
export async function showAs(page: Page, { width, height, isDark = false, isPhone = false }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  const devtools = await session
  await devtools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: isPhone })
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone })
  // The page has its new size a moment later.
  await page.waitForFunction(
    `document.documentElement.clientWidth === ${width} && matchMedia('(pointer: coarse)').matches === ${isPhone}`,
  )
}

/** Expects that pages are faultless in every look. `ready` is called before each check. All are shown in one tab. */
export async function expectFaultlessInEveryLook(
  context: BrowserContext,
  addresses: Readonly<Record<string, string>>,
  ready: (page: Page, name: string, look: string) => Promise<void> = async () => {},
): Promise<void> {
  const page = await context.newPage()
  const problems = problemsOf(page)
  for (const [name, address] of Object.entries(addresses)) {
    await showAs(page, LOOKS['desktop']!)
    await page.goto(address)
    for (const [look, shown] of Object.entries(LOOKS)) {
      await showAs(page, shown)
      await ready(page, name, look)
      await expectFaultless(page, `${name} ${look}`, shown)
      expect([name, look, problems]).toEqual([name, look, []])
    }
  }
  await context.close()
}

/** Everything that a page prints to the console, and that its scripts throw. */
export function problemsOf(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  return problems
}

/** Opens every part of a page that can be folded, and expects that it fits and that axe finds nothing. */
export async function expectFaultless(page: Page, name: string, look: Look): Promise<void> {
  await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
  const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect([name, wider]).toEqual([name, 0])
  expect([name, await faults(page, look)]).toEqual([name, []])
}

/** The faults that axe finds, as "rule: element". The page's policy forbids foreign scripts, so axe is injected. */
export async function faults(page: Page, { isDark, isPhone }: Partial<Look> = {}): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(AXE, 'utf8'))
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // No rule that we use needs the text of style sheets, which axe would otherwise fetch again for every page.
    preload: false,
    ...(isDark ? { runOnly: { type: 'rule', values: COLOUR_RULES } } : {}),
    ...(isPhone ? { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) } : {}),
  })
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}

/** Tabs to an element, as somebody without a mouse does, and presses a key there. */
export async function press(page: Page, selector: string, key = 'Enter'): Promise<void> {
  const target = page.locator(selector).first()
  await target.waitFor()
  for (let presses = 0; presses < 200; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
      await page.keyboard.press(key)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} cannot be reached with the keyboard.`)
}

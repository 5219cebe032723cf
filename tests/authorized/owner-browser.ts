// The owner in front of the consent page, in a real browser.
import type { Browser, Page } from 'playwright-core'

export const PASSWORD = 'correct horse battery staple'

/** From the address that a host opens to the one that it is sent back to: signs in, chooses sources, allows. */
export async function allow(browser: Browser, url: URL, sources: readonly string[], back: string): Promise<URL> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(url.href)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    for (const source of sources) await chooseAll(page, source)
    await page.locator('#allow').click()
    await page.waitForURL((now) => now.href.startsWith(back))
    return new URL(page.url())
  } finally {
    await context.close()
  }
}

/** Ticks every account of a source. If there are many sources, finds it by its name. */
async function chooseAll(page: Page, source: string): Promise<void> {
  const find = page.locator('#find')
  if ((await find.count()) > 0) await find.fill(source)
  const ticks = page.locator(`#row-${source}, [id^="c-${source}-"]`)
  await ticks.first().waitFor()
  for (let index = 0; index < (await ticks.count()); index++) await ticks.nth(index).check()
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
}

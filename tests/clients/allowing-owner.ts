// The owner in a real browser, who allows what an agent asks for.
import { OWNER, type RunningServer } from '@pdpp/server'
import type { Browser, Page } from 'playwright-core'

async function signedIn(browser: Browser, server: RunningServer): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(server.url + (await server.context.signIn.issueLink(OWNER)).path)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

/** Allows everything of the calendar, and nothing else. */
export async function allowCalendar(browser: Browser, server: RunningServer, url: string): Promise<void> {
  const page = await signedIn(browser, server)
  await page.goto(url)
  await page.locator('#source-calendar > summary').click()
  await Promise.all([
    page.waitForResponse((one) => one.url().includes('/consent/')),
    page.locator('#p-calendar-everything').click(),
  ])
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Allow' }).click()
}

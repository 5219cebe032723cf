// What every test of a page in a browser asks of it: no accessibility fault, and no need for a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds, as "rule: element". The page's own policy forbids foreign scripts, so it is put in from outside. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
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

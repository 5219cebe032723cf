// Backups and exports from the settings page, downloaded by a real browser and put back by the real command.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PageSession } from '../../packages/server/src/sign-in/page-session.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { closePages, hasBrowser, realBrowser, signIn } from '../fixtures/real-browser.ts'
import { archiveCommand, demoPlace, type Place } from './console-surroundings.ts'
import { faults } from './page-checks.ts'

const PASSPHRASE = 'seven swans on the lake'
const PASSWORD = 'a password for the owner'

describe.runIf(hasBrowser)('backups and exports from the settings page', { timeout: 120_000 }, () => {
  let browser: Browser
  let place: Place
  let page: Page

  beforeAll(async () => {
    place = await demoPlace({ archiveCommand, stalledMs: 1500 })
    browser = await realBrowser()
    page = await (await browser.newContext()).newPage()
    await signIn(page, await place.link())
  }, 120_000)
  afterAll(async () => {
    await closePages()
    await place?.close()
  })

  const leftOver = () => readdirSync(place.server.context.config.dataDir).filter((name) => name.startsWith('.'))
  const open = (path: string) => page.goto(place.server.url + path)
  const fill = async (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

  async function download(button: string): Promise<{ file: string; name: string }> {
    const arriving = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    const arrived = await arriving
    expect(await arrived.failure()).toBe(null)
    return { file: await arrived.path(), name: arrived.suggestedFilename() }
  }

  it('downloads a backup that the shown command restores', async () => {
    await open('/settings')
    await page.getByText('No backup has been made yet.').waitFor()
    await page.getByRole('link', { name: 'Back up everything' }).click()
    await fill('A passphrase for this file', PASSPHRASE)
    await fill('The passphrase again', 'seven swans on the pond')
    await page.getByRole('button', { name: 'Download the backup' }).click()
    await page.getByText('The two passphrases are not the same.').waitFor()
    expect(await faults(page)).toEqual([])
    await fill('A passphrase for this file', PASSPHRASE)
    await fill('The passphrase again', PASSPHRASE)
    const { file, name } = await download('Download the backup')
    expect(name).toMatch(/^pdpp-\d{4}-\d\d-\d\d\.backup$/)
    expect(readFileSync(file, 'latin1')).not.toContain('SQLite format')
    const size = statSync(file).size
    await expect.poll(leftOver).toEqual([])

    const shown = (await page.locator('pre').textContent())!
    expect(shown).toBe(`./pdpp owner restore ${name} --data-dir pdpp-restored`)
    const [, ...words] = shown.split(' ')
    const target = join(temporaryDirectory(), 'pdpp-restored')
    const typed = words.map((word) => (word === name ? file : word === 'pdpp-restored' ? target : word))
    const wrong = await runPdpp(typed, { dataDir: target, input: 'not the passphrase\n' })
    expect(wrong.code).toBe(2)
    const restored = await runPdpp(typed, { dataDir: target, input: `${PASSPHRASE}\n` })
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const again = await startServerProcess({ dataDir: target })
    const token = (await runPdpp(['owner', 'token'], { dataDir: target })).stdout.trim()
    const schema = (url: string, bearer: string) =>
      fetch(`${url}/v1/schema?view=compact`, { headers: { authorization: `Bearer ${bearer}` } }).then((a) => a.json())
    const here = (await place.server.context.tokens.issueOwner('owner_local')).accessToken
    expect(((await schema(again.url, token)) as any).connectors).toEqual(
      ((await schema(place.server.url, here)) as any).connectors,
    )
    await again.stop()

    await open('/settings')
    await page.getByText('The last backup was made').waitFor()
    expect((await place.server.context.archives.last('owner_local', 'backup'))!.bytes).toBe(size)
    await open('/activity')
    expect(await page.locator('.receipt').first().textContent()).toMatch(/You\s+took a backup of everything/)
    expect(await page.locator('body').textContent()).not.toContain(PASSPHRASE)
  })

  it('downloads an export without secrets, after the password', async () => {
    await open('/owner/password')
    await fill('New password', PASSWORD)
    await fill('The new password again', PASSWORD)
    await page.getByRole('button', { name: 'Set a password' }).click()
    await open('/settings/export')
    expect(await faults(page)).toEqual([])
    await fill('Your password, once more', 'something else entirely')
    await page.getByRole('button', { name: 'Download the export' }).click()
    await page.getByText('That is not your password.').waitFor()
    await fill('Your password, once more', PASSWORD)
    const { file, name } = await download('Download the export')
    expect(await page.locator('pre').textContent()).toBe(`./pdpp owner import ${name} --data-dir pdpp-restored`)
    const target = join(temporaryDirectory(), 'new')
    const taken = await runPdpp(['owner', 'import', file, '--json'], { dataDir: target })
    expect([taken.code, taken.stderr]).toEqual([0, ''])
    const counted = Number(
      /([\d,]+) items from/.exec((await page.locator('main').textContent())!)![1]!.replaceAll(',', ''),
    )
    expect(JSON.parse(taken.stdout)).toMatchObject({ records: counted, rejected: 0 })
    await expect.poll(leftOver).toEqual([])
  })

  it('makes one at a time, and survives a cancelled download', async () => {
    const { archives } = place.server.context
    const cancelled = await halfOf(await form('/settings/backup'))
    const other = await form('/settings/export')
    expect(other.page).toContain('Another backup or export is being made.')
    const refused = await fetch(`${place.server.url}/settings/export`, { ...other.request, redirect: 'manual' })
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('archive_running')])
    cancelled.destroy()
    await expect.poll(() => archives.isRunning, { timeout: 20_000 }).toBe(false)
    expect(leftOver()).toEqual([])
    const before = await archives.last('owner_local', 'backup')
    await halfOf(await form('/settings/backup'))
    await expect.poll(() => archives.isRunning, { timeout: 20_000 }).toBe(false)
    expect(leftOver()).toEqual([])
    expect(await archives.last('owner_local', 'backup')).toEqual(before)
  })

  /** A form as this browser would send it. */
  async function form(path: string) {
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const shown = await (await fetch(place.server.url + path, { headers: { cookie, accept: 'text/html' } })).text()
    const token = place.server.context.forms // The page leaves the form out while another runs.
    const visitor = new PageSession(token, /pdpp_session=([^;]+)/.exec(cookie)![1]!, { sessionId: '' } as never)
    const fields = { passphrase: PASSPHRASE, again: PASSPHRASE, password: PASSWORD }
    const body = new URLSearchParams({ form_token: visitor.formToken(path.slice('/settings/'.length)), ...fields })
    const headers = { cookie, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    return { page: shown, path, request: { method: 'POST', headers, body: body.toString() } }
  }

  /** The beginning of a download whose rest is never read. */
  function halfOf({ path, request: { method, headers, body } }: Awaited<ReturnType<typeof form>>) {
    return new Promise<ClientRequest>((resolve, reject) => {
      const sent = request(place.server.url + path, { method, headers }, (answer) => {
        answer.once('readable', () => resolve(sent))
      })
      sent.on('error', reject).end(body)
    })
  }
})

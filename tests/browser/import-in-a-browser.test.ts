// The page that imports files, in a real browser: by mouse, by keyboard alone, without scripts, and through a kill of
// the server. With PDPP_SCREENSHOTS=1 it also makes the pictures of docs/screenshots/console-import-*.png.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OWNER, type RunningServer, startServer } from '@pdpp/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../fixtures/http.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import {
  closePages,
  hasBrowser,
  realBrowser,
  type SignedInState,
  signedInState,
  signIn,
} from '../fixtures/real-browser.ts'
import { storeConfig } from '../fixtures/test-store.ts'
import { expectFaultlessInEveryLook, press } from './page-checks.ts'

const DESKTOP = { viewport: { width: 1100, height: 900 } }
const pictures = join(import.meta.dirname, '..', '..', 'docs', 'screenshots')
const PICTURED = process.env['PDPP_SCREENSHOTS'] === '1'

const ORDERS = `Order ID,Order Date,Shipped,Title,Category,Price,Seller
A-1001,2025-03-14,2025-03-15,"Garden hose, 20 m",Garden,29.90,Hartley & Sons
A-1002,2025-03-15,2025-03-18,Tea Assam,Food,4.50,Leaf House
A-1003,2025-04-16,2025-04-20,Desk lamp,Home,19.00,Leaf House
A-1004,2025-05-01,2025-05-02,Rug
`
const mail = (id: number) =>
  `From: Ana Fisk <ana@fisk.example>\nTo: mira@tallow.example\nSubject: Letter ${id}\nDate: Fri, 07 Feb 2025 19:21:04 +0200\nMessage-ID: <m${id}@fisk.example>\n\nWords of letter ${id}\n`

/** Enough rows to watch the progress. */
const steps = (rows: number) =>
  `Step ID,Time,Place\n${Array.from({ length: rows }, (_, n) => `S-${n},2025-01-0${1 + (n % 9)}T10:00:00Z,Street number ${n % 977}`).join('\n')}\n`

describe.runIf(hasBrowser)('importing in a real browser', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  let browser: Browser
  let server: RunningServer
  let storageState: SignedInState

  beforeAll(async () => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    server = await startServer(await storeConfig(dataDir))
    browser = await realBrowser()
    storageState = await signedInState(browser, server.url + (await server.context.signIn.issueLink(OWNER)).path)
  }, 120_000)
  afterEach(closePages)
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const page = await (await browser.newContext({ ...options, storageState })).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(server.url + path)
    return page
  }

  /** Sends files by the form. Returns the page of the import. */
  async function send(page: Page, ...files: string[]): Promise<Page> {
    await page.goto(`${server.url}/import`)
    await page.getByLabel('Choose files').setInputFiles(files)
    await page.waitForURL(/\/import\/imp_/)
    return page
  }

  const titles = async (): Promise<string[]> => {
    const { accessToken } = await server.context.tokens.issueOwner(OWNER)
    const answer = await fetch(`${server.url}/v1/streams/orders/records`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return ((await answer.json()) as any).data.map(({ data }: any) => data.Title).toSorted()
  }

  /** Writes a batch a second, so that no import is over before its page shows the progress. */
  function slowIngest() {
    const { ingest } = server.context
    const write = ingest.ingestRows.bind(ingest)
    const spy = vi.spyOn(ingest, 'ingestRows')
    spy.mockImplementation(async (...batch) => {
      await pause(1000)
      return write(...batch)
    })
    onTestFinished(() => spy.mockRestore())
    return { end: () => spy.mockRestore() }
  }

  it('imports a dropped file, through a reload and a stop', async () => {
    const slow = slowIngest()
    const page = await open('/import')
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(steps(24_000))}], 'steps.csv'))
      return data
    })()`)
    await page.dispatchEvent('#upload', 'dragenter', { dataTransfer: data })
    expect(await page.locator('#upload.over').count()).toBe(1)
    await page.dispatchEvent('#upload', 'drop', { dataTransfer: data })
    await page.waitForURL(/\/import\/imp_/)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText(/% · [\d,]+ items read · [\d,]+ per second/).waitFor()
    if (PICTURED) await picture(page, 'console-import-running-desktop.png')
    await page.reload()
    await page.getByText(/items read/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('h1 .badge', { hasText: 'stopped' }).waitFor()
    expect(await page.textContent('main')).toContain('Imported before it stopped')
    slow.end()
    await page.getByRole('button', { name: 'Resume' }).click()
    // From here on nothing is pressed, because the page follows by itself.
    await page.locator('h1 .badge', { hasText: 'finished' }).waitFor({ timeout: 60_000 })
    const cells = await page.locator('tbody tr').first().locator('td').allTextContents()
    expect(cells).toEqual(['24,000', '24,000', '0', '0', '0'])
    await page.getByRole('link', { name: 'Browse it' }).click()
    await page.waitForURL(/\/browse\?connection=steps/)
  })

  /** A folder as systems leave it. Returns its path. */
  function exportFolder(name: string, subject: string): string {
    const files = {
      'tables/2025/rides.csv': ORDERS.replace('Order ID', `${subject} ID`),
      'mail/.Sent/cur/1.host:2,S': mail(7),
      'mail/.Sent/new/2.host': mail(8),
      'mail/.Sent/tmp/3.host': mail(9),
      '.DS_Store': 'left here',
      'tables/Thumbs.db': 'left here',
      '__MACOSX/tables/rides.csv': ORDERS,
      'node_modules/x/package.json': '[{"a":1}]',
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, path, '..'), { recursive: true })
      writeFileSync(join(folder, name, path), text)
    }
    return join(folder, name)
  }
  const uploaded = async (page: Page) => {
    const { body } = await server.context.imports.require(OWNER, page.url().split('/').at(-1)!)
    return body.files.map(({ name }) => name)
  }
  const meant = (name: string) =>
    ['mail/.Sent/cur/1.host:2,S', 'mail/.Sent/new/2.host', 'tables/2025/rides.csv'].map((path) => `${name}/${path}`)

  it('imports a dropped folder with the paths of its files', async () => {
    const page = await open('/import')
    const drop = async (...files: string[]) => {
      const client = await page.context().newCDPSession(page)
      const data = { items: [], files, dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await client.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    }
    const path = exportFolder('Takeout', 'Ride')
    await page.evaluate("document.getElementById('upload').dataset.files = '2'")
    await drop(path)
    await page.getByText('There are more than 2 files. Make a zip of the folder and send that.').waitFor()
    await page.evaluate("document.getElementById('upload').dataset.files = '1000'")
    mkdirSync(join(folder, 'Deep', ...Array.from({ length: 40 }, () => 'in')), { recursive: true })
    await drop(join(folder, 'Deep'))
    await page.getByText('is more than 32 folders deep').waitFor()
    mkdirSync(join(folder, 'Empty'))
    await drop(join(folder, 'Empty'))
    await page.getByText('There is nothing in it to import.').waitFor()
    expect(await page.locator('#files').isEnabled()).toBe(true)
    await drop(path, file('alone.csv', ORDERS.replace('Order ID', 'Alone ID')))
    await page.waitForURL(/\/import\/imp_/)
    expect(await uploaded(page)).toEqual([...meant('Takeout'), 'alone.csv'])
    // A file in a folder keeps the meaning of its path.
    expect(await page.textContent('main')).toMatch(/mailbox.*2 items/s)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('takes a folder that is chosen by keyboard, at once', async () => {
    const page = await open('/import')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, '#folder')])
    await chooser.setFiles(exportFolder('Chosen', 'Trip'))
    await page.waitForURL(/\/import\/imp_/)
    expect(await uploaded(page)).toEqual(meant('Chosen'))
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('is used by keyboard alone, %s: choose, look, correct, import, undo', async (name, javaScriptEnabled) => {
    const stream = name.replace(' ', '-')
    const path = file(`keys-${stream}.csv`, ORDERS.replaceAll('Order', `Keys ${stream}`))
    const page = await open('/import', { javaScriptEnabled })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, '#files')])
    await chooser.setFiles(path)
    // With scripts, choosing is enough.
    if (!javaScriptEnabled) await press(page, '#upload button')
    await page.waitForURL(/\/import\/imp_/)
    // Without scripts the page of a running import does not change by itself. A link loads it again.
    const follow = async () => {
      await page.waitForLoadState()
      for (let looks = 0; looks < 60 && !javaScriptEnabled && (await page.locator('#live').count()) > 0; looks++)
        await Promise.all([page.waitForEvent('load'), press(page, '.without-script-only a')])
    }
    await follow()
    await press(page, '.correct > summary')
    await press(page, '#s0-stream', 'Control+A')
    await page.keyboard.type(stream)
    // A group of radio buttons is one stop; arrows move within it.
    await press(page, '.choices input[name="time"]:checked', 'ArrowDown')
    await Promise.all([page.waitForEvent('load'), press(page, '.correct button[value="correct"]')])
    await follow()
    await page.locator('h2', { hasText: stream }).waitFor()
    expect(await page.textContent('.facts')).toContain('Time')
    expect(await page.textContent('.facts')).toContain('Shipped')
    await Promise.all([page.waitForEvent('load'), press(page, '#start button')])
    await follow()
    await page.locator('h1 .badge', { hasText: 'finished' }).waitFor()
    expect(await page.textContent('#problems')).toContain('has 4 of 7 cells')
    await press(page, '#undo summary')
    await Promise.all([page.waitForEvent('load'), press(page, '#undo button')])
    await follow()
    await page.locator('h1 .badge', { hasText: 'undone' }).waitFor()
    expect(await page.textContent('main')).toContain('Removed 4 items that it had added')
  })

  it('repeats safely, undoes a change, and leaves what was changed since', async () => {
    const page = await open('/import')
    const run = async (text: string) => {
      await send(page, file('orders.csv', text))
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.locator('h1 .badge', { hasText: 'finished' }).waitFor()
      return page.locator('tbody tr').first().locator('td').allTextContents()
    }
    expect(await run(ORDERS)).toEqual(['4', '4', '0', '0', '0'])
    const first = page.url()
    expect(await run(ORDERS)).toEqual(['4', '0', '0', '4', '0'])
    expect(await run(ORDERS.replace('Tea Assam', 'Tea Darjeeling'))).toEqual(['4', '0', '1', '3', '0'])
    const undo = async () => {
      await page.getByText('Undo this import').first().click()
      await page.getByRole('button', { name: 'Undo this import' }).click()
      await page.locator('h1 .badge', { hasText: 'undone' }).waitFor()
    }
    await undo()
    expect(await titles()).toContain('Tea Assam')
    await run(ORDERS.replace('Desk lamp', 'Floor lamp'))
    await page.goto(first)
    await undo()
    expect(await page.textContent('main')).toContain('1 item changed again later')
    expect(await titles()).toEqual(['Floor lamp'])
  })

  it('refuses wrong and too large files without sending them', async () => {
    const page = await send(await open('/import'), file('unknown.bin', '\u0000\u0001\u0002'))
    expect(await page.textContent('[role="alert"]')).toContain('that no importer knows')
    await page.goto(`${server.url}/import`)
    await page.evaluate("document.getElementById('upload').dataset.most = '10'")
    await page.getByLabel('Choose files').setInputFiles(file('large.csv', ORDERS))
    await page.getByText('at most 1 kB can be sent at once').waitFor()
    expect(page.url()).toBe(`${server.url}/import`)
  })

  it('fits and has no fault that axe finds, in every look and state', async () => {
    const page = await open('/import')
    const paths: Record<string, string> = { import: page.url() }
    const note = (name: string) => {
      paths[name] = page.url()
    }
    await send(page, file('letters.eml', mail(1)), file('shop.csv', ORDERS.replace('Order ID', 'Shop ID')))
    note('import-plan')
    await send(page, file('orders.csv', `${ORDERS}A-1005,soon,never,Lamp,Home,dear,Leaf House\n`))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.locator('h1 .badge', { hasText: 'finished' }).waitFor()
    note('import-finished')
    await send(page, file('song.mp3', 'ID3\u0004\u0000'))
    note('import-failed')
    await expectFaultlessInEveryLook(await browser.newContext({ storageState }), paths, async (shown, name, look) => {
      if (PICTURED && name !== 'import-failed') await picture(shown, `console-${name}-${look}.png`)
      await shown.locator('.with-script').waitFor()
    })
  })

  it('continues by itself after the server is killed, without doubles', {
    timeout: 240_000,
  }, async () => {
    const dataDir = temporaryDirectory()
    const args = ['--port', String(await freePort())]
    let spawned = await startServerProcess({ dataDir, args })
    const link = /http:\S+\/owner\/sign-in\/link\/\S+/.exec((await runPdpp(['owner', 'login'], { dataDir })).stdout)![0]
    const owner = { authorization: `Bearer ${(await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()}` }
    const left = async () =>
      ((await (await fetch(`${spawned.url}/v1/streams`, { headers: owner })).json()) as any).data[0]?.record_count
    const rows = 60_000
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(60_000)
    await signIn(page, link)
    await page.waitForURL(`${spawned.url}/`)
    await page.goto(`${spawned.url}/import`)
    await page.getByLabel('Choose files').setInputFiles(file('steps.csv', steps(rows)))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.locator('.with-script #live').waitFor()
    // The page shows the progress once a second, so a fast machine might be done before that. The store shows it at once.
    await expect.poll(left, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
    await spawned.kill()
    await page.getByText('The server is not answering.').waitFor()
    spawned = await startServerProcess({ dataDir, args })
    await page.locator('h1 .badge', { hasText: 'finished' }).waitFor({ timeout: 60_000 })
    const imported = page.url()
    expect(await page.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
      '60,000',
      '60,000',
      '0',
      '0',
      '0',
    ])
    const streams = (await (await fetch(`${spawned.url}/v1/streams`, { headers: owner })).json()) as any
    expect(streams.data.map(({ name, record_count: count }: any) => [name, count])).toEqual([['steps', rows]])
    await page.getByText('Undo this import').first().click()
    await page.getByRole('button', { name: 'Undo this import' }).click({ noWaitAfter: true })
    await expect.poll(left, { timeout: 60_000, interval: 20 }).not.toBe(rows)
    await spawned.kill()
    spawned = await startServerProcess({ dataDir, args })
    await page.goto(imported)
    await page.getByText('Removed 60,000 items that it had added').waitFor({ timeout: 60_000 })
    const said = await page.locator('main').innerText()
    expect(said).toContain('nothing else used them: the source steps and the account steps.')
    expect(await left()).toBe(undefined)
  })
})

/** Loads the page again in this look. */
async function picture(page: Page, name: string): Promise<void> {
  await page.reload()
  await page.locator('.with-script').waitFor()
  await page.screenshot({ path: join(pictures, name) })
}

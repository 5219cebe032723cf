// The browser that tests of pages use: one that is installed, or Debian's where that can be installed without asking.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PLACES: Record<string, string[]> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
}
const INSTALL_MS = 240_000

/** Undefined where there is none, and tests that need one are skipped. In CI that is a failure: nobody would see it. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = installedBrowser(env)
  if (found === undefined && env['CI'])
    throw new Error(
      'No browser was found, and in CI no test may be skipped for it: install Chromium, or set CHROME_PATH.',
    )
  return found
}

function installedBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['CHROME_PATH']
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(given ? [given] : []), ...paths, ...(PLACES[process.platform] ?? [])].find(isExecutable)
}

/** Installs one where this is Debian and we may. Undefined, having said so, where tests have to do without. */
export async function ensureBrowser(say: (text: string) => void): Promise<string | undefined> {
  const found = installedBrowser()
  if (found) return found
  const apt = ['/usr/bin/apt-get'].find(isExecutable)
  if (apt && process.getuid?.() === 0) {
    say('browser: installing Chromium, for the tests of pages …')
    const options = ['install', '-y', '-qq', '--no-install-recommends', 'chromium']
    if (!(await ran(apt, options))) await ran(apt, ['update', '-qq']).then((fresh) => fresh && ran(apt, options))
  }
  const installed = installedBrowser()
  if (!installed)
    say(
      'browser: none found. Tests in a real browser are skipped, and fail in CI: install Chromium, or set CHROME_PATH.',
    )
  return installed
}

async function ran(command: string, args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const child = spawn(command, args, { stdio: 'ignore', env, timeout: INSTALL_MS })
  const [code] = await once(child, 'close').catch(() => [1])
  return code === 0
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

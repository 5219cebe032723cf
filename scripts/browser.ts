// Finds a browser for the tests of web pages. On Debian it can also install Chromium.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PATHS: Record<string, string[]> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
}
const INSTALL_MS = 240_000

/**
 * Returns undefined if there is no browser. Tests that need one are then skipped. In CI it throws instead, because
 * nobody would notice skipped tests.
 */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const found = installedBrowser(env)
  if (found === undefined && env['CI'])
    throw new Error('No browser was found, and tests must not be skipped in CI. Install Chromium, or set CHROME_PATH.')
  return found
}

function installedBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const configured = env['CHROME_PATH']
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(configured ? [configured] : []), ...paths, ...(PATHS[process.platform] ?? [])].find(isExecutable)
}

/**
 * Installs Chromium if this is Debian and the user is root. Otherwise prints that tests will be skipped and returns
 * undefined.
 */
export async function ensureBrowser(say: (text: string) => void): Promise<string | undefined> {
  const found = installedBrowser()
  if (found) return found
  const apt = ['/usr/bin/apt-get'].find(isExecutable)
  if (apt && process.getuid?.() === 0) {
    say('browser: installing Chromium for the tests of pages …')
    const options = ['install', '-y', '-qq', '--no-install-recommends', 'chromium']
    if (!(await ran(apt, options))) await ran(apt, ['update', '-qq']).then((fresh) => fresh && ran(apt, options))
  }
  const installed = installedBrowser()
  if (!installed)
    say('browser: none found, so browser tests are skipped (in CI they fail). Install Chromium, or set CHROME_PATH.')
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

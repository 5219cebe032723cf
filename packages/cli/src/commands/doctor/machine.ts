import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { broken, type Check, ok, skipped, warning } from '@pdpp/mcp-server/doctor'
import { fileChecks } from './files.ts'

const GIGABYTE = 1_000_000_000
const MIN_BYTES = 0.2 * GIGABYTE
const LITTLE_BYTES = GIGABYTE

/** What the server stands on here: its folder, the disk, its files, and whether it runs. */
export function machineChecks(dataDir: string, runningUrl: string | undefined): Check[] {
  return [
    { name: 'Node', run: () => ok(process.versions.node) },
    { name: 'Data directory', run: () => directory(dataDir) },
    { name: 'Disk', run: () => disk(dataDir) },
    ...fileChecks(dataDir),
    {
      name: 'Server process',
      run: () =>
        runningUrl === undefined
          ? broken('no server runs on this data directory', 'Start it: npm start, or pdpp serve', 6)
          : ok(`answers at ${runningUrl}`),
    },
  ]
}

function directory(path: string) {
  if (!existsSync(path))
    return broken(
      `${path} does not exist`,
      'Start the server once (npm start): it makes it. Or say where it is: --data-dir <path>',
    )
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return broken(`${path} cannot be written by this user`, `Give it to this user: chown -R "$(id -un)" ${path}`)
  }
  const open = process.platform === 'win32' ? 0 : statSync(path).mode & 0o077
  return open === 0 ? ok(path) : warning(`${path} can be read by other users`, `Close it: chmod -R go= ${path}`)
}

function disk(path: string) {
  const there = existsSync(path) ? path : dirname(path)
  if (!existsSync(there)) return skipped('there is nothing to measure')
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const says = `${(free / GIGABYTE).toFixed(1)} GB free`
  const fix = 'Make room on this disk, or move the data directory to another one.'
  if (free < MIN_BYTES) return broken(says, fix)
  return free < LITTLE_BYTES ? warning(says, fix) : ok(says)
}

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { broken, type Check, ok, skipped, warning } from '@pdpp/mcp-server/doctor'
import { databaseChecks } from './database.ts'
import { fileChecks } from './files.ts'

const GIGABYTE = 1_000_000_000
/** With less free space, the check of the disk fails. */
const BROKEN_BELOW_BYTES = 0.2 * GIGABYTE
const WARN_BELOW_BYTES = GIGABYTE

/** Checks of this machine: the data directory, the disk, the files, and whether the server runs. */
export function machineChecks(
  dataDir: string,
  databaseUrl: string | undefined,
  runningUrl: string | undefined,
): Check[] {
  return [
    { name: 'Node', run: () => ok(process.versions.node) },
    { name: 'Data directory', run: () => directory(dataDir) },
    { name: 'Disk', run: () => disk(dataDir) },
    ...(databaseUrl === undefined ? fileChecks(dataDir) : databaseChecks(databaseUrl)),
    {
      name: 'Server process',
      run: () =>
        runningUrl === undefined
          ? broken('no server runs on this data directory', 'Start it: pdpp serve', 6)
          : ok(`answers at ${runningUrl}`),
    },
  ]
}

function directory(path: string) {
  if (!existsSync(path))
    return broken(
      `${path} does not exist`,
      'Start the server once (npm start), which creates it. Or name another folder: --data-dir <path>',
    )
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return broken(`this user can't write to ${path}`, `Make this user the owner: chown -R "$(id -un)" ${path}`)
  }
  const open = process.platform === 'win32' ? 0 : statSync(path).mode & 0o077
  return open === 0 ? ok(path) : warning(`other users can read ${path}`, `Remove their access: chmod -R go= ${path}`)
}

function disk(path: string) {
  const there = existsSync(path) ? path : dirname(path)
  if (!existsSync(there)) return skipped('the folder does not exist')
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const says = `${(free / GIGABYTE).toFixed(1)} GB free`
  const fix = 'Make room on this disk, or move the data directory to another one.'
  if (free < BROKEN_BELOW_BYTES) return broken(says, fix)
  return free < WARN_BELOW_BYTES ? warning(says, fix) : ok(says)
}

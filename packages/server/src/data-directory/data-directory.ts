import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, opendirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { StartupError } from '../lib/startup-error.ts'
import { lockingProcess, takeLock } from './instance-lock.ts'
import { writeProblem } from './write-problem.ts'

const lockFile = (directory: string) => join(directory, 'server.lock')
const addressFile = (directory: string) => join(directory, 'server.json')

/** Creates the directory, readable by its owner only, and checks that it is writable. */
export function prepareDataDirectory(directory: string): void {
  try {
    makeDirectory(directory)
    // Before the permissions, because those of a file are not the problem.
    opendirSync(directory).closeSync()
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(directory, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw (
      writeProblem(directory, error) ??
      new StartupError(
        `Cannot write to the data directory ${directory} (${code ?? 'unknown error'}). Give it to this user, or choose another with PDPP_DATA_DIR.`,
      )
    )
  }
}

/** Creates parents one by one, because Node's recursive mkdir never returns if a parent accepts no folders (/proc). */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  if (dirname(directory) !== directory) makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

export function lockDataDirectory(directory: string): { release(): void } {
  try {
    return takeLock(lockFile(directory))
  } catch (error) {
    throw writeProblem(directory, error) ?? error
  }
}

/** A name for this directory, unique among all machines. A copy on another machine gets another name. */
export function placeOf(directory: string): string {
  const file = join(directory, 'place')
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 })
  return `${hostname()} ${readFileSync(file, 'utf8').trim()}`
}

export interface ServerAddress {
  readonly url: string
  readonly publicUrl: string
}

/** Stores the running server's address, so that commands on this machine find it. */
export function publishAddress(directory: string, { url, publicUrl }: ServerAddress): void {
  const text = JSON.stringify({ url, public_url: publicUrl, pid: process.pid })
  writeFileSync(addressFile(directory), `${text}\n`, { mode: 0o600 })
}

export function withdrawAddress(directory: string): void {
  rmSync(addressFile(directory), { force: true })
}

/** The address of the running server, or undefined if no server uses this directory. */
export function runningServer(directory: string): ServerAddress | undefined {
  const running = lockingProcess(lockFile(directory))
  if (running === undefined) return
  try {
    const { url, public_url: publicUrl, pid } = JSON.parse(readFileSync(addressFile(directory), 'utf8'))
    return pid === running || running === -1 ? { url, publicUrl: publicUrl ?? url } : undefined
  } catch {
    return
  }
}

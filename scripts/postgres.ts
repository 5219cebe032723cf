// Finds PostgreSQL for the tests of the second store. Starts a server that keeps its files in a given folder and opens
// no network port.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const USER = 'pdpp'
const START_MS = 30_000
const STOP_MS = 5000
const DEBIAN = '/usr/lib/postgresql'
/** These settings are fast but not safe. The data of a test may be lost if the machine fails. */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const LIMITS = ['max_connections=200', 'shared_buffers=64MB', 'autovacuum=on', 'log_min_messages=fatal']

/** The folder with `initdb` and `postgres` of the newest installed version. Undefined if none is installed. */
export function findPostgres(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...configuredFolders(), ...folders]
  return candidates.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))))
}

function configuredFolders(): string[] {
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return status === 0 ? [stdout.trim()] : []
}

/** The reason why tests on PostgreSQL are skipped, or undefined if they run. In CI it throws instead. */
export function whyNoPostgres(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['PDPP_TEST_DATABASE_URL'] || findPostgres(env)) return
  const reason = 'No PostgreSQL was found. Install version 15 or newer, or set PDPP_TEST_DATABASE_URL.'
  if (env['CI']) throw new Error(`${reason} Tests must not be skipped in CI.`)
  return reason
}

/** Installs PostgreSQL if this is Debian and the user is root. Otherwise prints which tests are skipped. */
export function ensurePostgres(say: (text: string) => void, env: NodeJS.ProcessEnv = process.env): void {
  if (env['PDPP_TEST_DATABASE_URL'] || findPostgres(env)) return
  if (mayInstall()) {
    say('postgres: installing PostgreSQL for the tests of the second store …')
    installPackage('postgresql', env)
  }
  if (!findPostgres(env))
    say(
      'postgres: none found, so tests of the second store are skipped (in CI they fail). Install PostgreSQL 15 or newer, or set PDPP_TEST_DATABASE_URL.',
    )
}

const APT = '/usr/bin/apt-get'

/** True if this is Debian and the user is root. */
export const mayInstall = (): boolean => isExecutable(APT) && process.getuid?.() === 0

export function installPackage(name: string, env: NodeJS.ProcessEnv): void {
  const install = ['install', '-y', '-qq', '--no-install-recommends', name]
  const options = { stdio: 'ignore', env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  if (spawnSync(APT, install, options).status !== 0 && spawnSync(APT, ['update', '-qq'], options).status === 0)
    spawnSync(APT, install, options)
}

export interface PostgresServer {
  /** The server's process. The caller must end it. */
  readonly process: ChildProcess
  /** The URL of a database of this server. */
  url(database: string): string
}

/** A folder in which only the server sees a small disk. Tests use it to fill a disk completely. */
export interface SmallDisk {
  readonly folder: string
  readonly megabytes: number
}

/**
 * Starts a server whose files and socket are in a folder. If the folder is empty, this takes about three seconds. If it
 * has the files of an earlier server, it takes much less.
 */
export async function startPostgres(folder: string, binaries: string, disk?: SmallDisk): Promise<PostgresServer> {
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(data)) {
    const options = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N']
    const [initdb, ...args] = [...commandPrefix(), join(binaries, 'initdb'), ...options]
    execFileSync(initdb!, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
  }
  const settings = [...SETTINGS, ...LIMITS].flatMap((setting) => ['-c', setting])
  const prefix = disk ? diskPrefix(disk) : commandPrefix()
  const [postgres, ...args] = [...prefix, join(binaries, 'postgres'), '-D', data, '-k', folder, ...settings]
  const child = spawn(postgres!, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, detached: true })
  let problem = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    problem = `${problem}${text}`.slice(-2000)
  })
  await waitUntilReady(join(data, 'postmaster.pid'), child, () => problem)
  child.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
  return { process: child, url: (database) => `postgresql://${USER}@/${database}?host=${encodeURIComponent(folder)}` }
}

const AS_OTHER_USER = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
const MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'

/** Runs a command in a new mount namespace. Its root may mount a disk there, and no other process sees it. */
const diskPrefix = ({ folder, megabytes }: SmallDisk): string[] => [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', MOUNT, 'sh', `${megabytes}m`, folder],
  ...AS_OTHER_USER,
]

/** The reason why a server cannot have a small disk on this machine, or undefined if it can. */
export function whyNoSmallDisk(folder: string): string | undefined {
  const [command, ...args] = [...diskPrefix({ folder, megabytes: 1 }), 'true']
  if (spawnSync(command!, args).status === 0) return
  return 'Tests fill a small disk, which needs `unshare --mount`. That does not work here.'
}

/** PostgreSQL refuses to run as root. A user namespace gives it another user id that can still write to our folder. */
export function commandPrefix(): string[] {
  if (process.getuid?.() !== 0) return []
  const prefix = [...AS_OTHER_USER]
  if (spawnSync(prefix[0]!, [...prefix.slice(1), 'true']).status === 0) return prefix
  throw new Error('PostgreSQL does not run as root, and `unshare` does not work here. Run the tests as another user.')
}

/** The server writes its state into this file. */
async function waitUntilReady(file: string, child: ChildProcess, problem: () => string): Promise<void> {
  const until = performance.now() + START_MS
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes('ready')) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`The PostgreSQL server for the tests did not start: ${problem() || 'no reason given'}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** Folder and name of the file in which a test run stores the URL and the process id of its server. */
export const [RUN_FOLDER, RUN_FILE] = ['postgres', 'ready.json']

/** Ends the server of a test run. The process that started the run calls this. */
export async function stopPostgres(runDirectory: string): Promise<void> {
  const file = join(runDirectory, RUN_FOLDER, RUN_FILE)
  if (!existsSync(file)) return
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  const until = performance.now() + STOP_MS
  for (let signal: NodeJS.Signals | 0 = 'SIGINT'; performance.now() < until; signal = 0) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    await new Promise((done) => setTimeout(done, 20))
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

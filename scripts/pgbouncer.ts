// Finds and starts PgBouncer for tests. It is a pooler in transaction mode in front of a PostgreSQL server, and it
// opens no network port.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { commandPrefix, installPackage, mayInstall } from './postgres.ts'

const PORT = 6432
const START_MS = 20_000
const PLACES = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** Path of the program. Undefined if it is not installed. */
export function findPgBouncer(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter), ...PLACES].filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, 'pgbouncer')).find(existsSync)
}

/** The reason why tests with a pooler are skipped, or undefined if they run. In CI it throws instead. */
export function whyNoPgBouncer(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (findPgBouncer(env)) return
  const reason = 'No PgBouncer was found. Install the package `pgbouncer`.'
  if (env['CI']) throw new Error(`${reason} Tests must not be skipped in CI.`)
  return reason
}

/**
 * The reason why the installed PgBouncer cannot keep prepared statements, or undefined if it can. `pdpp serve` refuses
 * a pooler that cannot.
 */
export function whyNotPrepared(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const { stdout } = spawnSync(findPgBouncer(env)!, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  if (Number(major) > 1 || Number(minor) >= 21) return
  return `PgBouncer ${major}.${minor} keeps no prepared statements. This needs version 1.21 or newer.`
}

/** Installs PgBouncer if this is Debian and the user is root. */
export function ensurePgBouncer(say: (text: string) => void, env: NodeJS.ProcessEnv = process.env): void {
  if (findPgBouncer(env)) return
  if (mayInstall()) {
    say('pgbouncer: installing PgBouncer for the tests with a pooler …')
    installPackage('pgbouncer', env)
  }
  if (!findPgBouncer(env)) say('pgbouncer: none found, so tests with a pooler are skipped (in CI they fail).')
}

export interface Pooler {
  readonly process: ChildProcess
  url(database: string): string
}

/** Starts a pooler in an empty folder, which gets its files and socket. `host` is the folder of the server's socket. */
export async function startPgBouncer(
  folder: string,
  host: string,
  user: string,
  { prepares = false } = {},
): Promise<Pooler> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const config = join(folder, 'pgbouncer.ini')
  const lines = [
    ...['[databases]', `* = host=${host} user=${user}`, '[pgbouncer]', 'listen_addr =', `listen_port = ${PORT}`],
    ...[`unix_socket_dir = ${folder}`, 'auth_type = any', 'pool_mode = transaction', 'default_pool_size = 4'],
    ...(prepares ? ['max_prepared_statements = 200'] : []),
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const [command, ...args] = [...commandPrefix(), findPgBouncer()!, config]
  const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let problem = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    problem = `${problem}${text}`.slice(-2000)
  })
  const until = performance.now() + START_MS
  while (!existsSync(join(folder, `.s.PGSQL.${PORT}`))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`PgBouncer did not start: ${problem}`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return {
    process: child,
    url: (database) => `postgresql://${user}@/${database}?host=${encodeURIComponent(folder)}&port=${PORT}`,
  }
}

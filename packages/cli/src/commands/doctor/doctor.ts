import { CredentialCache, cacheRoot, isOwnerCredential, readEnvironment } from '@pdpp/mcp-server/client'
import { connectionChecks, inTurn, type NamedCheckResult, type State } from '@pdpp/mcp-server/doctor'
import { providerAddress } from '../../provider/address.ts'
import type { Connected } from '../../provider/connected.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { bold, dim, green, printHint, printJson, printLine, red, yellow } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { machineChecks } from './machine.ts'
import { readingChecks } from './reading.ts'

interface DoctorOptions {
  dataDir?: string
  grant?: string
  cacheRoot?: string
  json?: boolean
}

const NO_ANSWER = {
  fix: 'Check that the server is running and the address is right. To start it here: pdpp serve',
  exitCode: EXIT.unreachable,
}

/** Runs all checks and names the first problem. Changes nothing. */
export async function doctor(url: string | undefined, options: DoctorOptions): Promise<void> {
  const cache = openCache(options)
  const here = await localServer(options, url)
  const target =
    url === undefined
      ? (here?.publicUrl ?? (here === undefined ? onlyProvider(cache) : undefined))
      : providerAddress(url)
  const found = await withProgress('Checking', async () => [
    ...(here === undefined
      ? []
      : await inTurn(machineChecks(here.dataDir, here.databaseUrl, here.url), { chain: false })),
    ...(target === undefined
      ? []
      : await inTurn(
          [...connectionChecks(target, NO_ANSWER), ...readingChecks(target, connection(cache, target, options))],
          { chain: true },
        )),
  ])
  const first = found.find(({ state }) => state === 'broken')
  if (options.json)
    printJson({
      object: 'diagnosis',
      url: target ?? null,
      healthy: first === undefined,
      first_broken: first?.name ?? null,
      data: found.map(({ exitCode: _code, ...rest }) => rest),
    })
  else report(target, found, first)
  process.exitCode = first === undefined ? 0 : (first.exitCode ?? 1)
}

function openCache(options: DoctorOptions): CredentialCache {
  const env = readEnvironment()
  return new CredentialCache(cacheRoot(options.cacheRoot ?? env.cacheRoot, env.home))
}

function onlyProvider(cache: CredentialCache): string | undefined {
  const known = cache.providers()
  return known.length === 1 ? known[0] : undefined
}

/** The server on this machine, unless the user named another one. */
async function localServer(options: DoctorOptions, url: string | undefined) {
  const { existsSync } = await import('node:fs')
  const { readConfig, runningServer } = await import('@pdpp/server/offline')
  const { dataDir, databaseUrl } = readConfig({ dataDir: options.dataDir })
  const running = runningServer(dataDir)
  const named = url === undefined ? undefined : providerAddress(url)
  const ours = running !== undefined && (named === running.url || named === running.publicUrl)
  const wanted =
    options.dataDir !== undefined ||
    (named === undefined && (existsSync(dataDir) || onlyProvider(openCache(options)) === undefined))
  return ours || wanted ? { dataDir, databaseUrl, url: running?.url, publicUrl: running?.publicUrl } : undefined
}

function connection(cache: CredentialCache, providerUrl: string, options: DoctorOptions): Connected | undefined {
  const grant = cache.find(providerUrl, options.grant ?? readEnvironment().grant)
  if (grant === undefined || isOwnerCredential(grant.credential)) return
  return { providerUrl, cache, grant, alone: true, flags: [] }
}

const MARKS: Record<State, string> = { ok: '✓', warning: '!', broken: '✗', skipped: '–' }
const COLOURS: Record<State, (text: string) => string> = { ok: green, warning: yellow, broken: red, skipped: dim }

function report(
  target: string | undefined,
  found: readonly NamedCheckResult[],
  first: NamedCheckResult | undefined,
): void {
  printLine(bold(`Checking ${target ?? 'this machine'}`))
  printLine()
  const width = Math.max(...found.map(({ name }) => name.length))
  for (const { name, state, says, fix } of found) {
    printLine(COLOURS[state](`  ${MARKS[state]} ${name.padEnd(width)}  `) + (state === 'skipped' ? dim(says) : says))
    if (fix !== undefined && state !== 'broken') printHint(dim(`    ${' '.repeat(width)}  ${fix}`))
  }
  printLine()
  if (first === undefined) {
    printLine(closing(found))
    return
  }
  printLine(`${red('First broken:')} ${first.name}: ${first.says}`)
  printHint(`${bold('Fix:')}          ${first.fix}`)
}

function closing(found: readonly NamedCheckResult[]): string {
  const warnings = found.filter(({ state }) => state === 'warning').length
  if (warnings > 0) return `Nothing is broken, with ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
  return found.some(({ state }) => state === 'skipped')
    ? 'Nothing is broken. Some checks were skipped.'
    : 'Everything works.'
}

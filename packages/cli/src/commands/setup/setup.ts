import { grantOf, readEnvironment } from '@pdpp/mcp-server/client'
import { type Entry, HOST_NAMES, HOSTS, type Host, type HostName, hostedEntry, snippet } from '@pdpp/mcp-server/hosts'
import { isPublicAddress, providerAddress } from '../../provider/address.ts'
import { openCache } from '../../provider/connected.ts'
import { canAsk, choose } from '../../terminal/ask.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../../terminal/failure.ts'
import { bold, dim, printHint, printJson, printLine, printNote } from '../../terminal/output.ts'
import { writeBundle } from './bundle.ts'
import { stdioEntry } from './entry.ts'
import { clientFolders } from './folders.ts'
import { writeEntry } from './write.ts'

interface SetupOptions {
  stdio?: boolean
  write?: boolean
  bundle?: boolean
  grant?: string
  yes?: boolean
  name: string
  json?: boolean
}

/** Shows the recommended way first, then the other one (000.1.1). The user only chooses the host. */
export async function setup(
  given: HostName | undefined,
  url: string | undefined,
  options: SetupOptions,
): Promise<void> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(options.name))
    throw new UsageError('--name can have letters, digits, _ and -, at most 64.')
  const name = given ?? (await askHost())
  const client = HOSTS[name]
  const providerUrl = url === undefined ? await provider() : providerAddress(url)
  if (options.bundle) return bundle(name, providerUrl, options)
  const ways = waysOf(client, providerUrl, pinnedGrant(providerUrl, options))
  const entry = options.stdio ? ways.find(({ kind }) => kind === 'stdio') : ways[0]
  if (entry === undefined) throw impossible(client, providerUrl, options)
  if (options.write) return write(client, entry, options)
  const others = ways.filter((way) => way !== entry)
  if (options.json) return printJson(wire(name, client, entry, options.name, others))
  printLine(bold(`${client.title} and ${providerUrl}`))
  printLine()
  if (name === 'claude-desktop' && entry.kind === 'stdio') for (const line of bundleHint(providerUrl)) printHint(line)
  for (const line of howTo(client, entry, options.name)) printHint(line)
  for (const other of others) {
    printLine()
    printLine(
      dim(other.kind === 'stdio' ? 'Or through a program on this machine:' : 'Or through the address of the server:'),
    )
    for (const line of howTo(client, other, options.name)) printHint(dim(line))
  }
}

/** The shortest way for Claude Desktop. The console shows it, too. */
const bundleHint = (providerUrl: string): string[] => [
  'The shortest way: a file to double-click. Your browser opens, and you choose what it may read.',
  `  pdpp setup claude-desktop ${providerUrl} --bundle`,
  '',
  'Or by its settings:',
  '',
]

/** The access that the host will use: the named one, or the latest. Undefined if this machine has none yet. */
function pinnedGrant(providerUrl: string, { grant }: SetupOptions): string | undefined {
  const found = openCache({}).find(providerUrl, grant)
  if (found !== undefined) return grantOf(found.credential)
  if (grant === undefined) return
  throw new CommandFailure(
    EXIT.notFound,
    `There is no access ${grant} to ${providerUrl} on this machine.`,
    '`pdpp status` lists what there is.',
  )
}

/** Asks for access if there is none yet, then writes the bundle for exactly that access. */
async function bundle(name: HostName, providerUrl: string, options: SetupOptions): Promise<void> {
  if (name !== 'claude-desktop')
    throw new UsageError(`${HOSTS[name].title} does not open bundles.`, 'Leave --bundle out. It is for claude-desktop.')
  if (pinnedGrant(providerUrl, options) === undefined) {
    const { connect } = await import('../connect.ts')
    await connect(providerUrl, { browser: true, name: HOSTS[name].title, timeout: '900' })
  }
  const entry = stdioEntry(providerUrl, pinnedGrant(providerUrl, options))
  if (entry.kind !== 'stdio') return
  const path = writeBundle(options.name, entry)
  if (options.json) return printJson({ object: 'bundle', path, command: entry.command, args: entry.args })
  printLine(`Written to ${path}.`)
  printNote('Open it with Claude Desktop (a double click), and choose Install. It works on this computer only.')
}

async function askHost(): Promise<HostName> {
  if (!canAsk()) throw new UsageError(`Which agent? One of: ${HOST_NAMES.join(', ')}`)
  return (await choose(
    'Which agent?',
    HOST_NAMES.map((value) => ({ value, label: HOSTS[value].title })),
  )) as HostName
}

/** The hosted address comes first, because it needs no program on this machine and the server controls the access. */
function waysOf(client: Host, providerUrl: string, grantId: string | undefined): Entry[] {
  const reachable = client.reachesLocal || isPublicAddress(providerUrl)
  return [
    ...(reachable ? [hostedEntry(providerUrl)] : []),
    ...(client.startsPrograms ? [stdioEntry(providerUrl, grantId)] : []),
  ]
}

function impossible(client: Host, providerUrl: string, options: SetupOptions): CommandFailure {
  if (options.stdio && !client.startsPrograms)
    return new CommandFailure(2, `${client.title} cannot start programs on this machine.`, 'Leave --stdio out.')
  return new CommandFailure(
    1,
    `${client.title} connects from the internet and can't reach ${providerUrl}.`,
    'Give the server a public https address (PDPP_PUBLIC_URL, see docs/configuration.md), then run pdpp setup with that address.',
  )
}

/** The server from the environment, the only connected one, or the one running here. */
async function provider(): Promise<string> {
  const configured = readEnvironment().providerUrl
  if (configured !== undefined && configured !== '') return providerAddress(configured)
  const known = openCache({}).providers()
  if (known.length === 1) return providerAddress(known[0]!)
  if (known.length > 1)
    throw new UsageError(
      'You are connected to several servers. Say which one to use.',
      `Put its address last: ${known.slice(0, 12).join(' ')}`,
    )
  const { readConfig, runningServer } = await import('@pdpp/server/offline')
  const running = runningServer(readConfig({}).dataDir)
  if (running) return running.publicUrl
  throw new UsageError(
    'Which server? None runs here, and you are not connected to any.',
    'Run: pdpp setup <client> <provider-url>',
  )
}

const hostOf = (client: Host): HostName => HOST_NAMES.find((name) => HOSTS[name] === client)!
const providerOf = (entry: Entry): string =>
  entry.kind === 'hosted' ? entry.url.replace(/\/mcp$/, '') : entry.args.at(-1)!

function howTo(client: Host, entry: Entry, name: string): string[] {
  const needsAccess = entry.kind === 'stdio' && !entry.args.includes('--grant')
  const before = needsAccess ? [`First run once:  pdpp connect ${entry.args.at(-1)}`, ''] : []
  const command = client.command?.(name, entry)
  const file = client.file?.(clientFolders(), entry)
  const steps = client.steps?.(name, entry) ?? []
  if (command !== undefined) return [...before, 'Run:', `  ${command}`, '', client.after(name, entry)]
  if (file !== undefined)
    return [
      ...before,
      'Let this command do it for you:',
      `  pdpp setup ${hostOf(client)} ${providerOf(entry)} --write${entry.kind === 'stdio' ? ' --stdio' : ''}`,
      '',
      `By hand, put this into ${file.path}:`,
      '',
      ...snippet(file, name)
        .split('\n')
        .map((line) => `  ${line}`),
      '',
      client.after(name, entry),
    ]
  return [...before, ...steps.map((step, index) => `  ${index + 1}. ${step}`), '', client.after(name, entry)]
}

async function write(client: Host, entry: Entry, options: SetupOptions): Promise<void> {
  const file = client.file?.(clientFolders(), entry)
  if (file === undefined)
    throw new CommandFailure(
      2,
      `${client.title} has no configuration file for this.`,
      'Run the command without --write and follow its steps.',
    )
  const { path, changed } = await writeEntry(file, options.name, options)
  if (options.json) return printJson({ path, changed, name: options.name, entry: file.value })
  printLine(changed ? `Written to ${path}.` : `${path} already contains it.`)
  if (entry.kind === 'stdio' && !entry.args.includes('--grant'))
    printNote(`If you are not connected yet: pdpp connect ${entry.args.at(-1)}`)
  printNote(client.after(options.name, entry))
}

function wire(client: HostName, found: Host, entry: Entry, name: string, others: readonly Entry[]) {
  const shape = (each: Entry) => {
    const file = found.file?.(clientFolders(), each)
    return {
      transport: each.kind === 'hosted' ? 'streamable_http' : 'stdio',
      ...(each.kind === 'hosted' ? { url: each.url } : { command: each.command, args: each.args }),
      run: found.command?.(name, each) ?? null,
      file: file === undefined ? null : { path: file.path, format: file.format, text: snippet(file, name) },
      steps: found.steps?.(name, each) ?? [],
      after: found.after(name, each),
    }
  }
  return { object: 'setup', client, name, recommended: shape(entry), others: others.map(shape) }
}

import { HOSTED_NAMES, HOSTS, hostedEntry } from '@pdpp/mcp-server/hosts'
import { OWNER, type RunningServer, readConfig, startServer } from '@pdpp/server'
import { browserCommand, hasScreen } from '../config/env.ts'
import { ownProgram, typedCommand } from '../invocation.ts'
import { openBrowser } from '../oauth/open-browser.ts'
import { bold, printLine } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'

interface ServeOptions {
  port?: string
  host?: string
  dataDir?: string
  demo?: boolean
  open?: boolean
  newReceipts?: boolean
}

/** Runs the server until it gets a signal to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(options)
  const server = await startServer(config, {
    archiveCommand: ownProgram(),
    newReceipts: options.newReceipts === true,
    // The service manager restarts the server, which then reports who has locked the database.
    onStoreLost: () => process.exit(1),
  })
  let end: Promise<void>
  try {
    if (options.demo && (await server.context.demo.isEmpty())) await firstRun(server)
    const address = await ownerAddress(server)
    const isOpened = options.open === true && canOpen() && (await openBrowser(address))
    const greeting = await greetingOf(
      server,
      config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL',
      address,
      isOpened,
    )
    // Listen for signals before printing the address, because a program that reads it may stop the server at once.
    end = stopped(server)
    printLine(greeting.join('\n'))
  } catch (error) {
    await server.close()
    throw error
  }
  await end
}

async function firstRun(server: RunningServer): Promise<void> {
  const { records, connections } = await withProgress('Loading the demo data', () => server.context.demo.load())
  process.stderr.write(
    `Loaded ${records.toLocaleString('en')} items of an invented person from ${connections} sources.\n`,
  )
}

/** Without a screen, xdg-open would start a browser in the terminal, or no browser. */
const canOpen = (): boolean =>
  process.stdout.isTTY === true && (process.platform !== 'linux' || hasScreen() || browserCommand() !== undefined)

/** The start page. Signs in with a link only if there is no password, because the link would stay in logs. */
async function ownerAddress({ context, publicUrl }: RunningServer): Promise<string> {
  if (await context.signIn.hasPassword(OWNER)) return `${publicUrl}/`
  return publicUrl + (await context.signIn.issueLink(OWNER)).path
}

async function greetingOf(server: RunningServer, place: string, address: string, isOpened: boolean): Promise<string[]> {
  const sources = (await server.context.storage.connections.list(OWNER)).length
  const isLink = !address.endsWith('/')
  return [
    '',
    `${bold('PDPP is running')}${hasPublicAddress(server) ? ` at ${server.publicUrl}` : ', for this computer only'}.`,
    '',
    `  Your data   ${address}`,
    ...(isLink ? ['              (signs you in once, within ten minutes)'] : []),
    ...(isOpened ? ['              Your browser opens it now.'] : []),
    `  Agents      ${server.publicUrl}/mcp`,
    `  Stored in   ${place} (${sources === 1 ? '1 source' : `${sources} sources`})`,
    '',
    ...agentLines(server.publicUrl),
    '',
    `  Sign in again  ${typedCommand()} owner login`,
    '  Stop           Ctrl-C',
    '',
  ]
}

/** One command per agent that can be connected with a command. */
function agentLines(providerUrl: string): string[] {
  const commands = HOSTED_NAMES.flatMap((name) => {
    const { title, command } = HOSTS[name]
    const line = command?.('pdpp', hostedEntry(providerUrl))
    return line === undefined ? [] : [{ title, line }]
  })
  const width = Math.max(...commands.map(({ title }) => title.length))
  const others = `  ${'Others'.padEnd(width)}  ${typedCommand()} setup`
  return [...commands.map(({ title, line }) => `  ${title.padEnd(width)}  ${line}`), others]
}

/** True if a public address is configured. */
function hasPublicAddress({ publicUrl, url }: RunningServer): boolean {
  return publicUrl !== url
}

function stopped(server: RunningServer): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const stop = () => {
      if (stopping) process.exit(130) // The second signal does not wait for running requests.
      stopping = true
      server.close().then(resolve, reject)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}

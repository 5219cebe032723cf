import { HOSTED_NAMES, HOSTS, hostedEntry } from '@pdpp/mcp-server/hosts'
import { isEmpty, loadDemo, OWNER, type RunningServer, readConfig, startServer } from '@pdpp/server'
import { ownProgram, typedCommand } from '../invocation.ts'
import { bold, printLine } from '../terminal/output.ts'

interface ServeOptions {
  port?: string
  host?: string
  dataDir?: string
  demo?: boolean
  newReceipts?: boolean
}

/** Runs the server until it gets a signal to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(options)
  const server = await startServer(config, {
    archiveCommand: ownProgram(),
    newReceipts: options.newReceipts === true,
  })
  let end: Promise<void>
  try {
    if (options.demo && (await isEmpty(server.context))) await firstRun(server)
    const greeting = await greetingOf(server, config.dataDir)
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
  process.stderr.write('First run: loading the demo owner, an invented person with a year of data …\n')
  const { records, connections } = await loadDemo(server.context)
  process.stderr.write(`Loaded ${records.toLocaleString('en')} records from ${connections} connections.\n`)
}

async function greetingOf(server: RunningServer, dataDir: string): Promise<string[]> {
  const connections = await server.context.storage.connections.list(OWNER)
  return [
    '',
    `${bold('PDPP is running')}${hasPublicAddress(server) ? ` at ${server.publicUrl}` : ', for this machine only'}.`,
    '',
    ...(await signInLines(server)),
    `  Agents      ${server.publicUrl}/mcp`,
    `  Data        ${dataDir} (${connections.length} connections)`,
    '',
    ...agentLines(server.publicUrl),
    '',
    `  Sign in again  ${typedCommand()} owner login`,
    '  Stop           Ctrl-C',
    '',
  ]
}

/** One command per host that can be set up with a command. */
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

/** Prints a sign-in link only if there is no password, because the link would stay in logs. */
async function signInLines({ context, publicUrl }: RunningServer): Promise<string[]> {
  if (await context.signIn.hasPassword(OWNER)) return [`  Your data   ${publicUrl}/`]
  const { path } = await context.signIn.issueLink(OWNER)
  return [`  Your data   ${publicUrl}${path}`, '              (signs you in once, within ten minutes)']
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

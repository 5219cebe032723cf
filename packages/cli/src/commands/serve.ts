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

/** Runs until it is told to stop. Prints what works, and nothing else. */
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
    // Whoever reads the address may stop the server the next moment: it listens for that before it speaks.
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
    `${bold('PDPP is running')}${beyond(server) ? ` at ${server.publicUrl}` : ', for this machine only'}.`,
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

/** One line to copy for each client that takes one; you are asked in the browser what it may read. */
function agentLines(providerUrl: string): string[] {
  const taking = HOSTED_NAMES.flatMap((name) => {
    const { title, command } = HOSTS[name]
    const line = command?.('pdpp', hostedEntry(providerUrl))
    return line === undefined ? [] : [{ title, line }]
  })
  const width = Math.max(...taking.map(({ title }) => title.length))
  const others = `  ${'Others'.padEnd(width)}  ${typedCommand()} setup`
  return [...taking.map(({ title, line }) => `  ${title.padEnd(width)}  ${line}`), others]
}

/** Told to be known elsewhere, by an address or by a proxy. */
function beyond({ publicUrl, url }: RunningServer): boolean {
  return publicUrl !== url
}

/** Without a password there is a link, for whoever sees this terminal; with one it would only lie around in logs. */
async function signInLines({ context, publicUrl }: RunningServer): Promise<string[]> {
  if (await context.signIn.hasPassword(OWNER)) return [`  Your data   ${publicUrl}/`]
  const { path } = await context.signIn.issueLink(OWNER)
  return [`  Your data   ${publicUrl}${path}`, '              (signs you in once, within ten minutes)']
}

function stopped(server: RunningServer): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const stop = () => {
      if (stopping) process.exit(130) // asked twice: do not wait for requests under way
      stopping = true
      server.close().then(resolve, reject)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}

import { isEmpty, loadDemo, OWNER, type RunningServer, readConfig, startServer } from '@pdpp/server'
import { bold, printLine } from '../output.ts'

interface ServeOptions {
  port?: string
  host?: string
  dataDir?: string
  demo?: boolean
}

/** Runs until it is told to stop. Prints what works, and nothing else. */
export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(options)
  const server = await startServer(config)
  let ending: Promise<void>
  try {
    if (options.demo && (await isEmpty(server.context))) await firstRun(server)
    // Before the address is printed: whoever reads it may send a signal at once.
    ending = stopped(server)
    await greet(server, config.dataDir)
  } catch (error) {
    await server.close()
    throw error
  }
  await ending
}

async function firstRun(server: RunningServer): Promise<void> {
  process.stderr.write('First run: loading the demo owner, an invented person with a year of data …\n')
  const { records, connections } = await loadDemo(server.context)
  process.stderr.write(`Loaded ${records.toLocaleString('en')} records from ${connections} connections.\n`)
}

async function greet(server: RunningServer, dataDir: string): Promise<void> {
  const connections = await server.context.storage.connections.list(OWNER)
  const example = connections[0]?.connectionId ?? '<connection>'
  printLine()
  printLine(`${bold('PDPP is running')}, for this machine only.`)
  printLine()
  printLine(`  Reads       ${server.url}/v1`)
  printLine(`  Data        ${dataDir} (${connections.length} connections)`)
  printLine()
  printLine('  Your own token         npx pdpp owner token')
  printLine(`  A token for an agent   npx pdpp owner grant create --client "Notes helper" --connection ${example}`)
  printLine('  Stop                   Ctrl-C')
  printLine()
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

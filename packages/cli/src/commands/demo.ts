import { loadDemo, openOffline, prepareDataDirectory, readConfig, runningServer, StartupError } from '@pdpp/server'
import { printJson, printLine } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'

/** Loads the demo owner into a data directory that no server uses. */
export async function demo(options: { dataDir?: string; json?: boolean }): Promise<void> {
  const config = readConfig(options)
  prepareDataDirectory(config.dataDir)
  if (runningServer(config.dataDir)) {
    throw new StartupError(
      'A server is running on this data directory. Stop it first. On a new data directory `npm start` loads the demo owner itself.',
    )
  }
  const offline = await openOffline(config)
  try {
    const result = await withProgress('Loading the demo owner', () => loadDemo(offline.context))
    if (options.json) printJson(result)
    else
      printLine(
        `The demo owner is loaded: ${result.records.toLocaleString('en')} records from ${result.connections} connections in ${config.dataDir}.`,
      )
  } finally {
    await offline.close()
  }
}

import { openOffline, prepareDataDirectory, readConfig, runningServer, StartupError } from '@pdpp/server'
import { withOwnerApi } from '../provider/owner-api.ts'
import { printJson, printLine } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'

interface DemoOptions {
  dataDir?: string
  json?: boolean
}

/** Loads the demo data into a data directory that no server uses. */
export async function demo(options: DemoOptions): Promise<void> {
  await withDataDirectory(options, async ({ demo: data }, dataDir) => {
    const result = await withProgress('Loading the demo data', () => data.load())
    if (options.json) printJson(result)
    else
      printLine(
        `The demo data is loaded: ${result.records.toLocaleString('en')} items from ${result.connections} sources in ${dataDir}.`,
      )
  })
}

/** Removes the demo's data, even while a server runs. Records from other sources stay. */
export async function removeDemo(options: DemoOptions): Promise<void> {
  const { wasLoaded, removed } = await withOwnerApi(options, async (api) => {
    const { is_loaded: wasLoaded } = await api.request<{ is_loaded: boolean }>('GET', '/v1/owner/demo')
    if (!wasLoaded) return { wasLoaded, removed: 0 }
    const { removed_connections: removed } = await withProgress('Removing the demo data', () =>
      api.request<{ removed_connections: number }>('DELETE', '/v1/owner/demo'),
    )
    return { wasLoaded, removed }
  })
  if (options.json) printJson({ removed_connections: removed })
  else printLine(wasLoaded ? `The demo data is gone: ${removed} sources were removed.` : 'There is no demo data here.')
}

type Offline = Awaited<ReturnType<typeof openOffline>>

async function withDataDirectory(
  options: DemoOptions,
  work: (context: Offline['context'], dataDir: string) => Promise<void>,
): Promise<void> {
  const config = readConfig(options)
  prepareDataDirectory(config.dataDir)
  if (runningServer(config.dataDir))
    throw new StartupError(
      'A server is running on this data directory. Load the demo on its first page, or stop it first.',
    )
  const offline = await openOffline(config)
  try {
    await work(offline.context, config.dataDir)
  } finally {
    await offline.close()
  }
}

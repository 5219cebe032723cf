// A process that requests each address, waits before it reads the answer, and prints how each request ended.
import { setTimeout as wait } from 'node:timers/promises'
import { type HttpRequest, httpFetch } from '@pdpp/mcp-server/client'

const WAIT_MS = 150

async function* forever(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(65_536)
}

const BODIES: Record<string, () => HttpRequest> = {
  none: () => ({}),
  text: () => ({ method: 'POST', body: 'x'.repeat(8_000_000) }),
  stream: () => ({ method: 'POST', body: forever() }),
}

async function outcome(url: string, body: string): Promise<string> {
  try {
    const response = await httpFetch(url, BODIES[body]!())
    await wait(WAIT_MS)
    return `read ${(await response.arrayBuffer()).byteLength}`
  } catch (error) {
    return `failed: ${(error as Error).message}`
  }
}

const asked = process.argv.slice(2)
const lines = await Promise.all(
  asked.flatMap((url) => Object.keys(BODIES).map(async (body) => `${url} ${body} ${await outcome(url, body)}`)),
)
process.stdout.write(`${lines.join('\n')}\n`)

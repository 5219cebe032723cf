// Runs the suite's scenarios for authorization servers against our authorization server.
import { spawn } from 'node:child_process'
import type { RunningServer } from '@pdpp/server'
import { freePort } from '../../tests/fixtures/http.ts'
import type { Ending } from './outcomes.ts'
import { ownerApproves } from './owner-approves.ts'

const MAX_MS = 60_000

/** Registers a client like any other and runs the scenarios with it. The results are in the folder. */
export async function runAuthorization(server: RunningServer, suite: string, folder: string): Promise<Ending> {
  const port = await freePort()
  const { clientId } = await server.context.clients.register({
    client_name: 'Conformance suite',
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  })
  const args = ['--url', server.url, '--client-id', clientId, '--resource', `${server.url}/mcp`, '--port', String(port)]
  const child = spawn(process.execPath, [suite, 'authorization', ...args, '-o', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: MAX_MS,
  })
  let printed = ''
  let approval: Promise<void> | undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const requestUrl = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(printed)?.[1]
    if (requestUrl !== undefined) approval ??= ownerApproves(server, new URL(requestUrl))
  })
  const ending = await new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  if (!approval) throw new Error(`The suite asked for no authorization. It printed:\n${printed}`)
  await approval
  return ending
}

import { setTimeout as wait } from 'node:timers/promises'
import { textOf } from '@pdpp/mcp-server/client'
import { type Answer, endpoint, errorOf, form, request } from '@pdpp/mcp-server/doctor'
import { CommandFailure } from '../terminal/failure.ts'
import { bold, printNote, safe } from '../terminal/output.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Discovered } from './discovery.ts'
import { type Client, DEVICE_CODE, ForgottenClient } from './registration.ts'
import { type Granted, granted, refused, tooLate } from './token-answer.ts'

/** RFC 8628 section 3.5: the extra pause after `slow_down`. */
const SLOWER_MS = 5_000

/** Device flow (RFC 8628): the owner enters a code on any device with a browser. */
export async function deviceFlow(
  found: Discovered,
  client: Client,
  { timeoutMs, details }: { timeoutMs: number; details: string | undefined },
): Promise<Granted> {
  const start = endpoint(found.metadata, 'device_authorization_endpoint')
  const token = endpoint(found.metadata, 'token_endpoint')
  if (start === undefined || token === undefined)
    throw new CommandFailure(1, 'The server does not support device codes.', 'Run the command without --device.')
  const started = await request(start, {
    method: 'POST',
    body: form({
      client_id: client.client_id,
      scope: 'pdpp:read',
      resource: found.resources,
      authorization_details: details,
    }),
  })
  const deviceCode = textOf(started.body['device_code'])
  if (errorOf(started).code === 'invalid_client') throw new ForgottenClient('The client is unknown.')
  if (deviceCode === undefined) throw refused(started, 'The server gave no code')
  showCode(started.body)
  const lifetime = Number(started.body['expires_in'] ?? 300) * 1000
  return poll(Math.min(lifetime, timeoutMs), Number(started.body['interval'] ?? 5) * 1000, () =>
    request(token, {
      method: 'POST',
      body: form({
        grant_type: DEVICE_CODE,
        device_code: deviceCode,
        client_id: client.client_id,
        resource: found.resources,
      }),
    }),
  )
}

function showCode(body: Record<string, unknown>): void {
  const address = textOf(body['verification_uri']) ?? ''
  const code = textOf(body['user_code']) ?? ''
  printNote('On any device, open this address:')
  process.stderr.write(`  ${safe(address)}\n`)
  printNote('and enter this code:')
  process.stderr.write(`  ${bold(safe(code))}\n`)
}

/** Polls at the pace that the server asks for, until there is an answer or the time is over. */
export async function poll(timeoutMs: number, intervalMs: number, ask: () => Promise<Answer>): Promise<Granted> {
  const deadline = Date.now() + timeoutMs
  let pause = Math.max(1_000, intervalMs)
  return withProgress('Waiting for the owner to decide', async () => {
    while (Date.now() + pause <= deadline) {
      await wait(pause)
      const answer = await ask().catch(() => undefined)
      // A network error is not an answer, so try again.
      if (answer === undefined) continue
      const found = answer.status < 300 ? granted(answer.body) : undefined
      if (found !== undefined) return found
      const { code } = errorOf(answer)
      if (code === 'slow_down') pause += SLOWER_MS
      else if (code !== 'authorization_pending' && answer.body['status'] !== 'pending')
        throw refused(answer, 'The server refused')
    }
    throw tooLate()
  })
}

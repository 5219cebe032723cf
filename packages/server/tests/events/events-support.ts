import { expect } from 'vitest'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { type Call, mailServer, type TestServer } from '../../../../tests/fixtures/server.ts'

export const PATH = '/v1/event-subscriptions'
/** Changes become events almost at once, so that tests need not wait. */
export const FAST = { windowMs: 20 }

export interface Subscribed {
  readonly id: string
  readonly created: Answer
  readonly call: Call
  /** Waits for events, and acknowledges those that came before. */
  next(wait?: number): Promise<any[]>
}

/** A mail server that turns changes into events quickly. */
export function eventServer(...[config, overrides]: Parameters<typeof mailServer>): Promise<TestServer> {
  return mailServer(config, { eventTimes: FAST, ...overrides })
}

export async function subscribe(test: TestServer, token: string, body: object = {}): Promise<Subscribed> {
  const call = test.as(token)
  const created = await call('POST', PATH, body)
  expect(created.status, created.text).toBe(201)
  const id = created.body.subscription_id
  let after = ''
  return {
    id,
    created,
    call,
    next: async (wait = 10) => {
      const { status, body: page, text } = await call('GET', `${PATH}/${id}/events?wait=${wait}${after}`)
      expect(status, text).toBe(200)
      after = `&after=${page.next_cursor}`
      return page.data
    },
  }
}

/** Waits until a condition holds. A pass rests twenty times as long as it took, which is long on a busy machine. */
export async function eventually<T>(find: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  // The tests change the date.
  const end = performance.now() + 25_000
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error('This did not happen within 25 seconds.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until every change so far has been turned into events, or was found to be hidden. */
export async function caughtUp({ server }: TestServer): Promise<void> {
  const { subscriptions } = server.context.storage
  await eventually(async () => (await subscriptions.changed(1)).length === 0)
}

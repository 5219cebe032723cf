import type { IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { httpsServer } from '../../src/lib/https.fixture.ts'
import { eventually } from './events-support.ts'

export interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly event: any
  readonly at: number
}

/** Answers an event. Returning nothing answers 200, and a challenge with itself. */
export type AnswerEvent = (received: Received, response: ServerResponse) => true | undefined | Promise<true | undefined>

/** An https receiver on loopback as a client would write one. */
export async function receiver(answer: AnswerEvent = () => undefined) {
  const received: Received[] = []
  const state = { answer }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const headers = request.headers as Record<string, string>
    const one = { path: request.url ?? '', headers, body, event: JSON.parse(body), at: Date.now() }
    received.push(one)
    if (await state.answer(one, response)) return
    const { type, data } = one.event
    response.setHeader('content-type', 'application/json')
    response.end(type === 'pdpp.subscription.verify' ? JSON.stringify({ challenge: data.challenge }) : '{}')
  }
  const server = await httpsServer((request, response) => void respond(request, response).catch(() => {}))
  onTestFinished(() => server.close())
  return {
    ...server,
    received,
    url: `${server.origin}/hook`,
    answerWith: (next: AnswerEvent) => {
      state.answer = next
    },
    /** Waits for events of a type. */
    events: (type: string, count = 1) =>
      eventually(() => {
        const found = received.filter(({ event }) => event.type === type)
        return found.length >= count ? found : undefined
      }),
  }
}

/** Checks a signature as the library of a receiver does. Throws if it is wrong. */
export function verify(secret: string, { body, headers }: Received): any {
  return new Webhook(secret).verify(body, headers)
}

import { expect, it } from 'vitest'
import { mailServer, messages } from '../../../../tests/fixtures/server.ts'
import { OWNER } from '../../src/context.ts'
import type { DirectContext, DirectRequestParts } from '../../src/http/direct/direct-context.ts'
import { DirectRoutes } from '../../src/http/direct/direct-routes.ts'
import { rehearse } from '../../src/rehearsal.ts'

const words = { common: ['body', 'subject'], rare: ['gull'] }

/** Calls the routes of a server, and keeps what they answer. */
class Watched extends DirectRoutes {
  readonly answers: DirectContext[] = []
  readonly targets: string[] = []
  readonly #routes: DirectRoutes

  constructor(routes: DirectRoutes) {
    super([], () => undefined)
    this.#routes = routes
  }

  override async answer(parts: DirectRequestParts): Promise<DirectContext | undefined> {
    const c = await this.#routes.answer(parts)
    this.targets.push(parts.target)
    if (c) this.answers.push(c)
    return c
  }
}

it('searches as a client would, and leaves no receipt', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const routes = new Watched(test.server.app.direct)
  await rehearse(routes, { address: test.server.url, subjectId: OWNER, words, isBusy: () => false })
  expect(routes.answers.length).toBeGreaterThan(20)
  expect(new Set(routes.answers.map(({ answer }) => answer?.status))).toEqual(new Set([200]))
  expect(JSON.parse(routes.answers[0]!.answer!.body).data).not.toEqual([])
  expect(new Set(routes.targets).size).toBe(5)
  expect((await test.owner('GET', '/v1/owner/receipts')).body.data).toEqual([])
})

it('ends when a client searches, and does nothing without words', async () => {
  const test = await mailServer()
  const routes = new Watched(test.server.app.direct)
  await rehearse(routes, { address: test.server.url, subjectId: OWNER, words, isBusy: () => routes.targets.length > 2 })
  expect(routes.targets).toHaveLength(3)
  const none = { common: [], rare: [] }
  await rehearse(routes, { address: test.server.url, subjectId: OWNER, words: none, isBusy: () => false })
  expect(routes.targets).toHaveLength(3)
})

// Real MCP clients are refused. The owner opens the address from the refusal in a real browser. Then the same sessions
// read on with the same token.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { AGENT_KINDS } from '../../conformance/adapter/fixtures/agent.ts'
import { openWorld } from '../../conformance/adapter/fixtures/world.ts'
import { closePages, hasBrowser, realBrowser } from '../fixtures/real-browser.ts'
import { verifies } from '../fixtures/verifies.ts'
import { PASSWORD } from './owner-browser.ts'

describe.runIf(hasBrowser)('an agent that asks for more', () => {
  const world = openWorld({ PDPP_OWNER_PASSWORD: PASSWORD })
  let browser: Browser
  beforeAll(async () => {
    browser = await realBrowser()
  })
  afterAll(closePages)

  /** The owner follows the address from the agent's answer: signs in, looks, allows. */
  async function allowAt(address: string): Promise<string> {
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      await page.goto(address)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.locator('#allow:enabled').click()
      await page.waitForURL((now) => now.search === '?done=widened')
      return page.url()
    } finally {
      await context.close()
    }
  }

  const notes = { stream: 'notes', limit: 1 }

  verifies.each(
    ['point 43', 'point 19'],
    AGENT_KINDS.map((kind) => [kind] as const),
  )('reads with the same session what the owner has allowed meanwhile (%s)', async (kind) => {
    const made = await world.owner('POST', '/v1/owner/grants', { client_name: kind, connections: ['team'] })
    const agent = await world.agent(kind, { id: made.grant_id, token: made.access_token })
    const refused = await agent.refusal('query_records', notes)
    expect(refused.code).toBe('grant_stream_not_allowed')
    const address = new URL(refused.request_access_url)
    expect(address.pathname).toMatch(/^\/wishes\//)
    expect((await agent.call('query_records', notes)).text).toContain(refused.request_access_url)

    expect(await allowAt(world.server.url + address.pathname)).toContain('/agents/packages/')
    // There are several sources now. The agent is told to name one, and continues.
    expect((await agent.refusal('query_records', notes)).code).toBe('ambiguous_connection')
    const found = await agent.use('query_records', { ...notes, connection_id: 'notebook' })
    expect(found.structured.data.data).toHaveLength(1)
    await agent.use('query_records', { stream: 'messages', limit: 1, connection_id: 'team' })
  })
})

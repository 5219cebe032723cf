// The suite's client asks for a code and waits; this is the owner who answers, on the consent page as it is shown.
import type { RunningServer } from '@pdpp/server'
import { ShownForm } from '../../packages/server/tests/oauth/shown-form.ts'
import { type Shown, TestVisitor } from '../../packages/server/tests/visitor.ts'

/** From the authorization request to the client's own address, allowing everything of one source. */
export async function ownerApproves(server: Pick<RunningServer, 'url' | 'context'>, request: URL): Promise<void> {
  const owner = await new TestVisitor({ server }, { origin: server.url }).signIn()
  const consent = locationOf(await owner.get(request.pathname + request.search))
  const shown = new ShownForm((await owner.get(consent)).text, consent)
  for (const name of [...shown.names('connection/'), ...shown.names('stream/')])
    shown.tick(name, shown.values(name, { all: true }))
  const looked = await owner.post(consent, shown.press('decision', 'update'))
  const allowed = await owner.post(consent, new ShownForm(looked.text, consent).press('decision', 'approve'))
  const answer = locationOf(await owner.get(locationOf(allowed)))
  await (await fetch(answer)).text()
}

function locationOf({ status, headers, text }: Shown): string {
  const location = headers['location']
  if (typeof location === 'string') return location
  throw new Error(`The owner's way ended with ${status}: ${text.slice(0, 500)}`)
}

// The suite's client asks for a code and waits; this is the owner who answers, on the consent page as it is shown.
import type { RunningServer } from '@pdpp/server'
import { Browser } from '../../tests/fixtures/browser.ts'
import type { Answer } from '../../tests/fixtures/http.ts'
import { ShownForm } from '../../tests/fixtures/shown-form.ts'

/** From the authorization request to the client's own address, allowing everything of one source. */
export async function ownerApproves(server: Pick<RunningServer, 'url' | 'context'>, request: URL): Promise<void> {
  const owner = await new Browser(server).signIn()
  const consent = locationOf(await owner.get(request.pathname + request.search))
  const shown = new ShownForm((await owner.get(consent)).text, consent)
  for (const name of [...shown.names('connection/'), ...shown.names('stream/')])
    shown.tick(name, shown.values(name, { all: true }))
  const looked = await owner.post(consent, shown.press('decision', 'update'))
  const allowed = await owner.post(consent, new ShownForm(looked.text, consent).press('decision', 'approve'))
  const answer = locationOf(await owner.get(locationOf(allowed)))
  await (await fetch(answer)).text()
}

function locationOf({ status, headers, text }: Answer): string {
  const location = headers.get('location')
  if (location !== null) return location
  throw new Error(`The owner's way ended with ${status}: ${text.slice(0, 500)}`)
}

// The client of the suite requests a code and waits. This module acts as the owner, who approves on the consent page.
import type { RunningServer } from '@pdpp/server'
import { Browser } from '../../tests/fixtures/browser.ts'
import type { Answer } from '../../tests/fixtures/http.ts'
import { ShownForm } from '../../tests/fixtures/shown-form.ts'

/** Opens the authorization request, allows everything of one source, and follows the redirect to the client. */
export async function ownerApproves(server: Pick<RunningServer, 'url' | 'context'>, request: URL): Promise<void> {
  const owner = await new Browser(server).signIn()
  const consent = locationOf(await owner.get(request.pathname + request.search))
  const shown = new ShownForm((await owner.get(consent)).text, consent)
  for (const name of [...shown.names('connection/'), ...shown.names('stream/')])
    shown.tick(name, shown.values(name, { all: true }))
  const updated = await owner.post(consent, shown.press('decision', 'update'))
  const approval = await owner.post(consent, new ShownForm(updated.text, consent).press('decision', 'approve'))
  const clientUrl = locationOf(await owner.get(locationOf(approval)))
  await (await fetch(clientUrl)).text()
}

function locationOf({ status, headers, text }: Answer): string {
  const location = headers.get('location')
  if (location !== null) return location
  throw new Error(`The approval ended with ${status} instead of a redirect: ${text.slice(0, 500)}`)
}

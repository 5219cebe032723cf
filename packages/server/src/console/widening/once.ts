import { newId } from '../../lib/ids.ts'
import type { PageSession } from '../../sign-in/page-session.ts'

const FIELD = 'once'
const purposeOf = (clientId: string): string => `new-access-once:${clientId}`

/**
 * Makes a form work only once: it carries the id of the client that it would create. That client is stored with the
 * access. So the form counts as used as long as the client exists, even after a restart, and nothing else has to be
 * remembered.
 */
export function onceField(pageSession: PageSession, form?: URLSearchParams): { name: string; value: string } {
  const clientId = (form && onceIn(pageSession, form)) ?? newId('cli')
  return { name: FIELD, value: `${clientId}.${pageSession.formToken(purposeOf(clientId))}` }
}

/** The id in a form, or undefined if this session was not shown that id. */
export function onceIn(pageSession: PageSession, form: URLSearchParams): string | undefined {
  const [clientId = '', seal = ''] = (form.get(FIELD) ?? '').split('.')
  return pageSession.acceptsFormToken(seal, purposeOf(clientId)) ? clientId : undefined
}

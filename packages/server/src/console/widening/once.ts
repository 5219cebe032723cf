import { newId } from '../../lib/ids.ts'
import type { PageSession } from '../../sign-in/page-session.ts'

const FIELD = 'once'
const purposeOf = (clientId: string): string => `new-access-once:${clientId}`

/**
 * Makes a form work once: it carries the id of the client that it would make. That client is stored with the access, so
 * the form is known as used for as long as the client exists, after a restart too, and nothing else is remembered.
 */
export function onceField(pageSession: PageSession, form?: URLSearchParams): { name: string; value: string } {
  const clientId = (form && onceIn(pageSession, form)) ?? newId('cli')
  return { name: FIELD, value: `${clientId}.${pageSession.formToken(purposeOf(clientId))}` }
}

/** The id in a form, or undefined if this session was not shown it. */
export function onceIn(pageSession: PageSession, form: URLSearchParams): string | undefined {
  const [clientId = '', seal = ''] = (form.get(FIELD) ?? '').split('.')
  return pageSession.acceptsFormToken(seal, purposeOf(clientId)) ? clientId : undefined
}

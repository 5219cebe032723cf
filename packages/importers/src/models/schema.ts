import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'

/** Building blocks for the fields of importers' declarations. Every field except ids and flags can be empty. */
export const COMPARE: ('gte' | 'gt' | 'lte' | 'lt')[] = ['gte', 'gt', 'lte', 'lt']

export type Role = 'primary-title' | 'secondary' | 'actor' | 'event-time' | 'media'

export const id = (description: string) => ({ type: 'string', description })

export const reference = (description: string) => ({ type: ['string', 'null'], description })

export const text = (description: string, role?: Role) => ({
  type: ['string', 'null'],
  description,
  ...(role === undefined ? {} : { x_pdpp_role: role, x_pdpp_type: 'text' }),
})

export const person = (description: string, role?: Role) => ({
  type: ['string', 'null'],
  description,
  ...(role === undefined ? {} : { x_pdpp_role: role }),
  x_pdpp_type: 'person',
})

export const time = (description: string, role?: Role) => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
  ...(role === undefined ? {} : { x_pdpp_role: role }),
  x_pdpp_type: 'timestamp',
})

export const flag = (description: string) => ({ type: 'boolean', description })
export const integer = (description: string) => ({ type: ['integer', 'null'], description })
export const number = (description: string) => ({ type: ['number', 'null'], description })
export const list = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

/** The declaration of a service with fixed streams. Increase the version with every change of the streams. */
export const fixedSource = (
  key: string,
  name: string,
  version: number,
  streams: StreamDeclaration[],
): SourceDeclaration => ({
  protocol_version: '0.1.0',
  source: { kind: 'connector', id: `urn:pdpp:importer:${key}` },
  connector_key: key,
  declaration_version: String(version),
  display: { name },
  sensitivity: 'standard',
  streams,
})

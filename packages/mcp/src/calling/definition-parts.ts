/** Building blocks of the tool definitions of all entrypoints. */
export const text = { type: 'string' } as const
export const whole = { type: 'integer' } as const
export const connection_id = { type: 'string', description: 'picks the source' } as const

/**
 * Allows other members and requires none, because error results must match the schema too. Otherwise hosts would drop
 * the error message.
 */
export const output = <Properties extends object>(properties: Properties) => ({ type: 'object', properties }) as const
export const data = output({ data: { type: 'object' } })

export const input = <Properties extends object>(properties: Properties, ...required: string[]) =>
  ({ type: 'object', properties, ...(required.length ? { required } : {}), additionalProperties: false }) as const

export const annotations = { readOnlyHint: true, openWorldHint: false } as const

export const texts = { type: 'array', items: text } as const
export const limit = { type: 'integer', maximum: 100 } as const
export const oneOf = (...choices: string[]) => ({ type: 'string', enum: choices }) as const
export const order = oneOf('asc', 'desc')
export const filter = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      text,
      { type: 'number' },
      { type: 'boolean' },
      { type: 'object', propertyNames: { enum: ['gte', 'gt', 'lte', 'lt'] } },
    ],
  },
} as const
export const expand_limit = { type: 'object', additionalProperties: { type: 'integer' } } as const

/** Parts that the tool definitions of all entrypoints share. */
export const text = { type: 'string' } as const
export const whole = { type: 'integer' } as const
export const connection_id = { type: 'string', description: 'picks the source' } as const

/** Nothing is required, because an error result must fit this schema too: otherwise the host would drop the message. */
export const output = <Properties extends object>(properties: Properties) => ({ type: 'object', properties }) as const
export const data = output({ data: { type: 'object' } })

export const input = <Properties extends object>(properties: Properties, ...required: string[]) =>
  ({ type: 'object', properties, ...(required.length ? { required } : {}), additionalProperties: false }) as const

export const annotations = { readOnlyHint: true, openWorldHint: false } as const

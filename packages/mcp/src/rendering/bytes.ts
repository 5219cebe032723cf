export const byteLength = (text: string): number => Buffer.byteLength(text)

/** Size of a value as JSON, in the form that is sent. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

export const byteLength = (text: string): number => Buffer.byteLength(text)

/** Size of a value as JSON, as it is sent. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

export const byteLength = (text: string): number => Buffer.byteLength(text)

/** Structured output as it travels. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

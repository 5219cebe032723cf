import { formatInstant } from '@pdpp/protocol'

/** A record as ingest takes it. The stored JSON is exported as it is, so that long numbers keep every digit. */
export const exportedLine = (key: string, emittedAt: number, data: string): string =>
  `{"key":${JSON.stringify(key)},"emitted_at":"${formatInstant(emittedAt * 1000)}","data":${data}}\n`

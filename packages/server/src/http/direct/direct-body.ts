import type { IncomingMessage } from 'node:http'

const BYTE_ORDER_MARK = '\ufeff'

/** The whole body of a request as text, as the Fetch standard decodes it. The caller has checked its declared size. */
export function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')
      resolve(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    })
    incoming.on('error', reject)
    // A connection that ends in the middle of a body reports no error if it was destroyed on this side.
    incoming.on('close', () => reject(new Error('The body did not arrive completely.')))
  })
}

/** The headers as an object of the Fetch standard. */
export function fetchHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const name in headersDistinct) for (const value of headersDistinct[name]!) headers.append(name, value)
  return headers
}

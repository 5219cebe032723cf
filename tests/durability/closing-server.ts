// A server whose paths say how it answers a request and how it closes the connection meanwhile.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export const FRAMES = ['whole', 'short', 'chunked', 'unframed'] as const
export const ENDS = ['end', 'destroy', 'reset'] as const
export const SIZES_KB = [0, 1, 64, 65, 256] as const

export interface Manner {
  readonly frame: (typeof FRAMES)[number]
  readonly end: (typeof ENDS)[number]
  readonly sizeKb: number
}

/** `/whole/reset/64`: the server sends all 64 kB that it announced, and then resets the connection. */
export const pathOf = ({ frame, end, sizeKb }: Manner): string => `/${frame}/${end}/${sizeKb}`

/** With `manner` it always closes in that way and ignores the path. */
export async function closingServer(manner?: Manner): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head: Buffer) => {
      const [, frame, end, size] = /^\w+ \/(\w+)\/(\w+)\/(\d+)/.exec(head.toString('latin1')) ?? []
      answer(socket, manner ?? ({ frame, end, sizeKb: Number(size) } as Manner))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answer(socket: Socket, { frame, end, sizeKb }: Manner): void {
  const body = 'a'.repeat(sizeKb * 1024)
  const framing = {
    whole: `content-length: ${body.length}\r\n`,
    short: `content-length: ${body.length + 5_000}\r\n`,
    chunked: 'transfer-encoding: chunked\r\n',
    unframed: '',
  }[frame]
  const sent = frame === 'chunked' ? `${body.length.toString(16)}\r\n${body}\r\n` : body
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${framing}\r\n`)
  if (end === 'end') socket.end(sent)
  else socket.write(sent, () => setTimeout(() => (end === 'reset' ? socket.resetAndDestroy() : socket.destroy()), 20))
}

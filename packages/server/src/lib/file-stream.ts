const CHUNK_BYTES = 65_536

export interface FilePart {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

/** An open file, or bytes that are stored elsewhere. */
export interface OpenBytes {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

/**
 * Streams a part of an open file, with back-pressure. If the client reads nothing for `idleMs`, the stream fails and
 * the file is closed, so that no descriptor stays open for ever. `ended` is called once, however the stream ends.
 */
export function fileStream(
  handle: OpenBytes,
  { from, to }: FilePart,
  idleMs: number,
  ended: () => void,
): { stream: ReadableStream<Uint8Array>; cut(reason: string): void } {
  let at = from
  let timer: NodeJS.Timeout | undefined
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isEnded = false
  const end = () => {
    clearTimeout(timer)
    if (isEnded) return
    isEnded = true
    ended()
    void handle.close()
  }
  const cut = (reason: string) => {
    if (isEnded) return
    end()
    controller.error(new Error(reason))
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
      timer = setTimeout(cut, idleMs, 'the client stopped reading').unref()
    },
    pull: async () => {
      clearTimeout(timer)
      const wanted = Math.min(CHUNK_BYTES, to + 1 - at)
      const buffer = Buffer.allocUnsafe(wanted)
      const { bytesRead } = await handle.read(buffer, 0, wanted, at).catch(() => ({ bytesRead: 0 }))
      if (isEnded) return
      if (bytesRead === 0) return cut('the file ended too early')
      at += bytesRead
      controller.enqueue(buffer.subarray(0, bytesRead))
      if (at <= to) timer = setTimeout(cut, idleMs, 'the client stopped reading').unref()
      else {
        end()
        controller.close()
      }
    },
    cancel: end,
  })
  return { stream, cut }
}

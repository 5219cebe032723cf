import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, streamPath, textOf } from '@pdpp/mcp-server/client'
import { type ChangeSignal, openChangeSignal } from '../../provider/change-signal.ts'
import type { ChangeFollower } from '../../provider/follow-changes.ts'
import type { Pairs, Reader } from '../../provider/reader.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../../terminal/failure.ts'
import { printNote } from '../../terminal/output.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { pages } from './paging.ts'

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

export interface FollowRequest {
  readonly reader: Reader
  readonly stream: string
  readonly connectionId: string | undefined
  /** The bookmark to start from; undefined means now. */
  readonly from: string | undefined
  /** The query that reads from a position. */
  readonly query: (position: string) => Pairs
  readonly print: (body: JsonObject) => Promise<void>
  /** Stores the position, if the command should remember it. */
  readonly follower: ChangeFollower | undefined
}

/** Prints changes as they happen, until Ctrl-C. If the server becomes unreachable, waits until it answers again. */
export async function followRecords(request: FollowRequest): Promise<void> {
  const { reader, stream, connectionId, follower } = request
  const stop = stopSignal()
  let changes: ChangeSignal | undefined
  try {
    let position = request.from ?? (await present(request))
    changes = await openChangeSignal(reader, { stream, connectionId })
    printNote(`Following ${stream}. Ctrl-C ends it.`)
    const opened = changes
    while (!stop.signal.aborted) {
      const reached = await retryUntilAnswered(stop.signal, () => printChanges(request, position))
      if (reached === undefined) break
      position = reached
      follower?.keep(position)
      await retryUntilAnswered(stop.signal, () => opened.next(stop.signal))
    }
  } finally {
    await changes?.close()
    stop.release()
  }
}

/** The bookmark for now. */
async function present({ reader, stream, query }: FollowRequest): Promise<string> {
  if (!(await reader.features()).changesNow)
    throw new UsageError(
      "This server can't show changes from now on.",
      'Add --since-last. It begins with every record.',
    )
  const body = await reader.get(`${streamPath(stream)}/records`, query('now'))
  return nextPosition(body)
}

async function printChanges({ reader, stream, query, print }: FollowRequest, position: string): Promise<string> {
  let last: JsonObject = {}
  for await (last of pages(reader, `${streamPath(stream)}/records`, query(position), true, { say: () => {} }))
    await print(last)
  return nextPosition(last)
}

function nextPosition(body: JsonObject): string {
  const position = textOf(body['next_changes_since'])
  if (position !== undefined) return position
  throw new CommandFailure(EXIT.other, 'The server did not say where to continue.', 'Run the command again.')
}

/** Repeats the work while the server does not answer. Undefined after Ctrl-C. */
async function retryUntilAnswered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  for (let ms = FIRST_PAUSE_MS; !signal.aborted; ms = Math.min(ms * 2, MAX_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.unreachable) throw error
      if (ms === FIRST_PAUSE_MS) printNote(`${error.message} Trying again until it does.`)
      await pause(ms, undefined, { signal }).catch(() => {})
    }
  }
  return
}

import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, rowsOf, SUBSCRIPTIONS, subscriptionPath, textOf } from '@pdpp/mcp-server/client'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { printNote } from '../terminal/output.ts'
import type { Pairs, Reader } from './reader.ts'

/** A request waits for events this long. It is shorter than the time that an answer may take. */
const WAIT_SECONDS = 20
/**
 * The server removes a subscription that is not polled for this many seconds, for example after a crash of the command.
 */
const IDLE_SECONDS = 120
/** Polling interval for a server without events. */
const LOOK_EVERY_MS = 30_000

export interface FollowedStream {
  readonly stream: string
  readonly connectionId: string | undefined
}

/** Tells when a stream may have changed. The reader then reads the changes from its last position. */
export interface ChangeSignal {
  /** Returns after a change, or if `signal` aborts. */
  next(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Open the signal before the first read, so that no change in between is missed. */
export async function openChangeSignal(reader: Reader, followed: FollowedStream): Promise<ChangeSignal> {
  const { polledEvents } = await reader.features()
  if (!polledEvents)
    return new RegularLook(`This server has no events, so pdpp asks it every ${LOOK_EVERY_MS / 1000} s.`)
  try {
    return await EventSignal.open(reader, followed)
  } catch (error) {
    // The grant has already reached its max. number of subscriptions.
    if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.other) throw error
    return new RegularLook(`${error.message} pdpp asks the server every ${LOOK_EVERY_MS / 1000} s instead.`)
  }
}

class RegularLook implements ChangeSignal {
  constructor(note: string) {
    printNote(note)
  }

  async next(signal: AbortSignal): Promise<void> {
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }

  async close(): Promise<void> {}
}

/** A poll subscription that lives as long as the command. */
class EventSignal implements ChangeSignal {
  readonly #reader: Reader
  readonly #followed: FollowedStream
  #id: string
  #after: string | undefined

  private constructor(reader: Reader, followed: FollowedStream, id: string) {
    this.#reader = reader
    this.#followed = followed
    this.#id = id
  }

  static async open(reader: Reader, followed: FollowedStream): Promise<EventSignal> {
    return new EventSignal(reader, followed, await subscribe(reader, followed))
  }

  async next(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const page = await this.#poll(signal)
        this.#after = textOf(page['next_cursor']) ?? this.#after
        if (rowsOf(page).length > 0) return
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.notFound) throw error
        // The subscription was not polled for too long, because this machine was asleep or offline. Changes were
        // missed.
        this.#id = await subscribe(this.#reader, this.#followed)
        this.#after = undefined
        return
      }
    }
  }

  #poll(signal: AbortSignal): Promise<JsonObject> {
    const after: Pairs = this.#after === undefined ? [] : [['after', this.#after]]
    const path = `${subscriptionPath(this.#id)}/events`
    return this.#reader.get(path, [['wait', String(WAIT_SECONDS)], ...after], signal)
  }

  /** If the server is unreachable, it removes the subscription later. */
  async close(): Promise<void> {
    await this.#reader.send('DELETE', subscriptionPath(this.#id)).catch(() => {})
  }
}

async function subscribe(reader: Reader, { stream, connectionId }: FollowedStream): Promise<string> {
  const connections = connectionId === undefined ? {} : { connection_ids: [connectionId] }
  const filters = { streams: [stream], ...connections }
  const { eventIdleSeconds } = await reader.features()
  const idle = eventIdleSeconds ? { idle_seconds: IDLE_SECONDS } : {}
  const created = await reader.send('POST', SUBSCRIPTIONS, { delivery: 'poll', filters, ...idle })
  return String(created['subscription_id'])
}

import { hash, randomBytes } from 'node:crypto'
import { newId } from '../lib/ids.ts'
import type { SessionStore, StoredSession } from './session-store.ts'

const DAY = 86_400_000
export const SESSION_MS = { idle: 7 * DAY, absolute: 30 * DAY }
/** Min. milliseconds between two updates of `seenAt`, so that not every page view writes to the store. */
const TOUCH_MS = 60_000
const MAX_SESSIONS = 50
const AGENT_CHARS = 200

export interface StartedSession {
  /** Only for the cookie; never stored. */
  readonly secret: string
  readonly session: StoredSession
}

/** Sessions are stored on the server, so ending one takes effect with its next request. */
export class SessionService {
  readonly #sessions: SessionStore

  constructor(sessions: SessionStore) {
    this.#sessions = sessions
  }

  async start(
    subjectId: string,
    method: StoredSession['method'],
    agent: string | undefined,
    now = Date.now(),
  ): Promise<StartedSession> {
    const secret = randomBytes(32).toString('base64url')
    const session: StoredSession = {
      hash: hashOf(secret),
      sessionId: newId('ses'),
      subjectId,
      method,
      agent: (agent ?? '').slice(0, AGENT_CHARS),
      createdAt: now,
      seenAt: now,
      expiresAt: now + SESSION_MS.absolute,
    }
    await this.#sessions.sweep(now, now - SESSION_MS.idle)
    await this.#sessions.create(session, MAX_SESSIONS)
    return { secret, session }
  }

  async find(secret: string, now = Date.now()): Promise<StoredSession | undefined> {
    if (!/^[\w-]{43}$/.test(secret)) return
    const session = await this.#sessions.find(hashOf(secret))
    if (!session) return
    if (!isAlive(session, now)) {
      // Delete it, so that it stays ended if the clock is set back.
      await this.#sessions.remove(session.subjectId, session.sessionId)
      return
    }
    if (now - session.seenAt >= TOUCH_MS) await this.#sessions.touch(session.hash, now)
    return session
  }

  async list(subjectId: string, now = Date.now()): Promise<StoredSession[]> {
    return (await this.#sessions.list(subjectId)).filter((session) => isAlive(session, now))
  }

  end(subjectId: string, sessionId: string): Promise<boolean> {
    return this.#sessions.remove(subjectId, sessionId)
  }

  endAll(subjectId: string): Promise<number> {
    return this.#sessions.removeAll(subjectId)
  }
}

function isAlive({ seenAt, expiresAt }: StoredSession, now: number): boolean {
  return now < expiresAt && now < seenAt + SESSION_MS.idle
}

const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

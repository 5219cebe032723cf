export interface QueueLimits {
  readonly total: number
  readonly perClient: number
}

/** At most this share of the places is held for clients with a claim. */
const HELD_SHARE = 0.25
const MAX_CLAIMS = 1024

/**
 * A bounded queue that serves clients in turn, and the jobs of each client in the order of arrival. A client with many
 * jobs waits for its own jobs; other clients do not wait for them. A client that was refused has a claim: some places
 * are held for its return, because otherwise those who were just served would take every free place again.
 */
export class FairQueue<Job extends { readonly client: string }> {
  readonly #limits: QueueLimits
  /** The first entry is the client whose turn is next. */
  readonly #jobs = new Map<string, Job[]>()
  /** Clients that were refused, and when their claims end. */
  readonly #claims = new Map<string, number>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** Returns false if the queue is full, for this client or for all. */
  push(job: Job): boolean {
    const jobs = this.#jobs.get(job.client) ?? []
    const { total, perClient } = this.#limits
    const places = this.#claims.has(job.client) ? total : total - this.#held()
    if (this.#size >= places || jobs.length >= perClient) return false
    this.#claims.delete(job.client)
    jobs.push(job)
    this.#jobs.set(job.client, jobs)
    this.#size++
    return true
  }

  /** Holds a place for a refused client until then, unless it has jobs here. */
  claim(client: string, until: number): void {
    if (this.#jobs.has(client)) return
    this.#claims.delete(client)
    this.#claims.set(client, until)
    if (this.#claims.size > MAX_CLAIMS) this.#claims.delete(this.#claims.keys().next().value!)
  }

  /** The number of places that are held for clients with a claim. */
  #held(): number {
    const now = performance.now()
    for (const [client, until] of this.#claims) {
      if (until > now) break
      this.#claims.delete(client)
    }
    return Math.min(this.#claims.size, Math.floor(this.#limits.total * HELD_SHARE))
  }

  take(): Job | undefined {
    const next = this.#jobs.entries().next()
    if (next.done) return
    const [client, jobs] = next.value
    const job = jobs.shift()
    this.#jobs.delete(client)
    if (jobs.length > 0) this.#jobs.set(client, jobs)
    this.#size--
    return job
  }

  /** Returns false if the job is not waiting. */
  remove(job: Job): boolean {
    const jobs = this.#jobs.get(job.client)
    const at = jobs?.indexOf(job) ?? -1
    if (!jobs || at === -1) return false
    jobs.splice(at, 1)
    if (jobs.length === 0) this.#jobs.delete(job.client)
    this.#size--
    return true
  }

  clear(): Job[] {
    const jobs = [...this.#jobs.values()].flat()
    this.#jobs.clear()
    this.#size = 0
    return jobs
  }
}

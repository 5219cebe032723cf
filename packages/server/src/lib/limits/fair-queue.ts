export interface QueueLimits {
  readonly total: number
  readonly perClient: number
}

/**
 * A bounded queue that serves clients in turn, and the jobs of each client in the order of arrival. A client with many
 * jobs waits for its own jobs; other clients do not wait for them.
 */
export class FairQueue<Job extends { readonly client: string }> {
  readonly #limits: QueueLimits
  /** The first entry is the client whose turn is next. */
  readonly #jobs = new Map<string, Job[]>()
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
    if (this.#size >= this.#limits.total || jobs.length >= this.#limits.perClient) return false
    jobs.push(job)
    this.#jobs.set(job.client, jobs)
    this.#size++
    return true
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

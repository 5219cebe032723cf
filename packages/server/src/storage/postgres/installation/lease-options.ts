/** In its own file, because published types must not need those of pg. */
export interface LeaseTimes {
  /** Another process may take over the lease if it was not renewed for this long. */
  readonly leaseMs: number
  readonly renewMs: number
}

export interface LeaseOptions {
  /** Names the machine and the data directory. A new process with the same name takes over at once. */
  readonly place: string
  /** Called once if another process has taken over. */
  onLost(error: Error): void
  readonly times?: LeaseTimes | undefined
}

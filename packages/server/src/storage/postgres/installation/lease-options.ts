/** In its own file, because published types must not need those of pg. */
export interface LeaseTimes {
  /** Others may take over if it was not renewed for so long. */
  readonly leaseMs: number
  readonly renewMs: number
}

export interface LeaseOptions {
  /** Names the machine and the data directory. A new process of the same place takes over at once. */
  readonly place: string
  /** Called once if another process has taken over. */
  onLost(error: Error): void
  readonly times?: LeaseTimes | undefined
}

export type State = 'ok' | 'warning' | 'broken' | 'skipped'

export interface Finding {
  readonly state: State
  readonly says: string
  /** What to do about it; said for what is broken or doubtful. */
  readonly mend?: string
  /** The exit code of a command, where it is not 1. */
  readonly exitCode?: number
}

export const ok = (says: string): Finding => ({ state: 'ok', says })
export const skipped = (says: string, mend?: string): Finding => ({ state: 'skipped', says, ...(mend ? { mend } : {}) })
export const warning = (says: string, mend: string): Finding => ({ state: 'warning', says, mend })
export const broken = (says: string, mend: string, exitCode?: number): Finding => ({
  state: 'broken',
  says,
  mend,
  ...(exitCode === undefined ? {} : { exitCode }),
})

export type State = 'ok' | 'warning' | 'broken' | 'skipped'

export interface CheckResult {
  readonly state: State
  readonly says: string
  /** The next step after a broken check or a warning. */
  readonly fix?: string
  /** The exit code of the command, if not 1. */
  readonly exitCode?: number
}

export const ok = (says: string): CheckResult => ({ state: 'ok', says })
export const skipped = (says: string, fix?: string): CheckResult => ({
  state: 'skipped',
  says,
  ...(fix ? { fix } : {}),
})
export const warning = (says: string, fix: string): CheckResult => ({ state: 'warning', says, fix })
export const broken = (says: string, fix: string, exitCode?: number): CheckResult => ({
  state: 'broken',
  says,
  fix,
  ...(exitCode === undefined ? {} : { exitCode }),
})

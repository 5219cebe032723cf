export type FindingState = 'ok' | 'warning' | 'broken' | 'skipped'

export interface Finding {
  readonly state: FindingState
  readonly says: string
  /** What to do about it; said for what is broken or doubtful. */
  readonly mend?: string
}

export interface Check {
  readonly name: string
  run(): Promise<Finding>
}

export const ok = (says: string): Finding => ({ state: 'ok', says })
export const warning = (says: string, mend: string): Finding => ({ state: 'warning', says, mend })
export const broken = (says: string, mend: string): Finding => ({ state: 'broken', says, mend })

import type { Timing } from './measure.ts'

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
/** The cell that tells whether a goal is met. Blank if one of the values was not measured. */
export const verdict = (met: boolean, ...measured: readonly number[]): string =>
  measured.some((value) => !Number.isFinite(value)) ? '' : met ? 'met' : '**missed**'
/** A blank cell if the value was not measured. */
const ifMeasured = (value: number, text: (value: number) => string): string =>
  Number.isFinite(value) ? text(value) : ''
export const whole = (value: number): string => ifMeasured(value, (known) => Math.round(known).toLocaleString('en'))
export const percent = (share: number): string => ifMeasured(share, (known) => `${Math.round(known * 100)} %`)
export const ratio = (value: number): string => ifMeasured(value, (known) => `${known.toFixed(2)}x`)
export const ms = (micros: number): string => ifMeasured(micros, (known) => (known / 1000).toFixed(2))
export const times = ({ p50, p95, p99 }: Timing): string[] => [p50, p95, p99].map(whole)

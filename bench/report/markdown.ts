// Cells and tables of the report.
import type { Timing } from './measure.ts'

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
/** Of a measured value and its limit; blank where nothing was measured. */
export const verdict = (met: boolean, ...measured: readonly number[]): string =>
  measured.some((value) => !Number.isFinite(value)) ? '' : met ? 'met' : '**missed**'
/** What was not measured is a blank cell, never a number. */
const shown = (value: number, text: (value: number) => string): string => (Number.isFinite(value) ? text(value) : '')
export const whole = (value: number): string => shown(value, (known) => Math.round(known).toLocaleString('en'))
export const percent = (share: number): string => shown(share, (known) => `${Math.round(known * 100)} %`)
export const ratio = (value: number): string => shown(value, (known) => `${known.toFixed(2)}x`)
export const ms = (micros: number): string => shown(micros, (known) => (known / 1000).toFixed(2))
export const times = ({ p50, p95, p99 }: Timing): string[] => [p50, p95, p99].map(whole)

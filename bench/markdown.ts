// Cells and tables of the report.
import type { Timing } from './measure.ts'

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
export const verdict = (met: boolean): string => (met ? 'met' : '**missed**')
export const whole = (value: number): string =>
  Number.isNaN(value) ? 'not run' : Math.round(value).toLocaleString('en')
export const percent = (share: number): string => `${Math.round(share * 100)} %`
export const ratio = (value: number): string => (Number.isNaN(value) ? '' : `${value.toFixed(2)}x`)
export const mb = (value: number): string => (Number.isNaN(value) ? 'not known here' : whole(value))
export const ms = (micros: number): string => (micros / 1000).toFixed(2)
export const times = ({ p50, p95, p99 }: Timing): string[] => [p50, p95, p99].map(whole)

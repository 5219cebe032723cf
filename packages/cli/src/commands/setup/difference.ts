import { green, red } from '../../terminal/output.ts'

const CONTEXT = 2

/** The changed lines with two lines of context. There is only one changed part. */
export function difference(before: string, after: string): string[] {
  const [old, next] = [lines(before), lines(after)]
  let head = 0
  while (head < old.length && head < next.length && old[head] === next[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++
  const from = Math.max(0, head - CONTEXT)
  return [
    ...next.slice(from, head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => red(`- ${line}`)),
    ...next.slice(head, next.length - tail).map((line) => green(`+ ${line}`)),
    ...next.slice(next.length - tail, next.length - tail + CONTEXT).map((line) => `  ${line}`),
  ]
}

const lines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

import { Cancelled } from './failure.ts'

/** True if a person can answer: standard input and standard error are terminals. Questions go to standard error. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

export async function confirm(message: string, initialValue = true): Promise<boolean> {
  const clack = await import('@clack/prompts')
  const answer = await clack.confirm({ message, initialValue, output: process.stderr })
  return answer === true
}

export async function choose(message: string, options: readonly { value: string; label: string; hint?: string }[]) {
  const clack = await import('@clack/prompts')
  const answer = await clack.select({ message, options: [...options], output: process.stderr })
  if (clack.isCancel(answer)) throw new Cancelled('Cancelled. Nothing was changed.')
  return answer
}

/** Asks for a secret without showing what is typed. */
export async function askSecret(message: string): Promise<string> {
  const clack = await import('@clack/prompts')
  const answer = await clack.password({ message, output: process.stderr })
  if (clack.isCancel(answer)) throw new Cancelled('Cancelled. Nothing was changed.')
  return answer
}

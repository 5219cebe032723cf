import { Cancelled } from './failure.ts'

/** Whether there is a person to ask: both ends are a terminal. Questions are written where warnings are. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

export async function confirm(message: string, initialValue = true): Promise<boolean> {
  const clack = await import('@clack/prompts')
  const answer = await clack.confirm({ message, initialValue, output: process.stderr })
  return answer === true
}

export async function choose(message: string, options: readonly { value: string; label: string; hint?: string }[]) {
  const clack = await import('@clack/prompts')
  const answer = await clack.select({ message, options: [...options], output: process.stderr })
  if (clack.isCancel(answer)) throw new Cancelled('Stopped. Nothing was done.')
  return answer
}

/** Not shown while it is typed. */
export async function askSecret(message: string): Promise<string> {
  const clack = await import('@clack/prompts')
  const answer = await clack.password({ message, output: process.stderr })
  if (clack.isCancel(answer)) throw new Cancelled('Stopped. Nothing was done.')
  return answer
}

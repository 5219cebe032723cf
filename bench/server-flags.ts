// How `pdpp serve` is started: how long a request takes, and what it leaves behind, depends on how much garbage may lie about.
const LAUNCHER = '../packages/cli/bin/launch.mjs'
const { YOUNG, OLD } = (await import(LAUNCHER)) as { YOUNG: string; OLD: string }

export const SERVER_FLAGS: readonly string[] = [YOUNG, OLD]

/** They can only be said at the start, so the program begins anew in its own place where the system can do that. */
export function runAsServer(): void {
  if (!process.execve || process.execArgv.includes(YOUNG)) return
  process.execve(process.execPath, [process.execPath, ...SERVER_FLAGS, ...process.execArgv, ...process.argv.slice(1)])
}

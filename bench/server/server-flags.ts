// How `pdpp serve` is started: what a process holds depends on how much garbage may lie about in it.
const LAUNCHER = '../packages/cli/bin/launch.mjs'
const { YOUNG, OLD } = (await import(LAUNCHER)) as { YOUNG: string; OLD: string }

export const SERVER_FLAGS: readonly string[] = [YOUNG, OLD]

// The flags of `pdpp serve`. They limit the garbage that the process keeps, and so its memory.
const LAUNCHER = '../../packages/cli/bin/launch.mjs'
const { YOUNG, OLD } = (await import(LAUNCHER)) as { YOUNG: string; OLD: string }

export const SERVER_FLAGS: readonly string[] = [YOUNG, OLD]

// The flags of `pdpp serve`. They make the process collect garbage sooner, so that it needs less memory.
const LAUNCHER = '../../packages/cli/bin/launch.mjs'
const { YOUNG, IMPORT_YOUNG, OLD } = (await import(LAUNCHER)) as { YOUNG: string; IMPORT_YOUNG: string; OLD: string }

export const SERVER_FLAGS: readonly string[] = [YOUNG, OLD]
/** The flags of `pdpp import`. */
export const IMPORT_FLAGS: readonly string[] = [IMPORT_YOUNG, OLD]

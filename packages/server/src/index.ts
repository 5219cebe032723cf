/** The public exports of @pdpp/server. */

export { type Context, createContext } from './context.ts'
export * from './offline.ts'
export { openOffline, type RunningServer, startServer } from './serve.ts'
export type { ArchiveCommand } from './upkeep/archives/archive-service.ts'

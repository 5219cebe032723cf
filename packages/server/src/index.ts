/** The public list of @pdpp/server. */
export type { ArchiveCommand } from './archives/archive-service.ts'
export { type Context, createContext } from './context.ts'
export { isEmpty, loadDemo } from './demo-owner.ts'
export * from './local.ts'
export { openOffline, type RunningServer, startServer } from './serve.ts'

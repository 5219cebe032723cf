/** The public list of @pdpp/server. */
export { type ConfigOverrides, readConfig, type ServerConfig } from './config/config.ts'
export { type Context, createContext, OWNER } from './context.ts'
export { prepareDataDirectory, runningServer } from './data-directory.ts'
export { isEmpty, loadDemo } from './demo-owner.ts'
export { StartupError } from './lib/startup-error.ts'
export { openOffline, type RunningServer, startServer } from './serve.ts'
export { openSqliteStorage } from './storage/sqlite/storage.ts'
export { TokenService } from './tokens/token-service.ts'

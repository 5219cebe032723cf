import { StartupError } from '../lib/startup-error.ts'
import { isLoopback, type ServerConfig } from './config.ts'

/** Refuses to listen beyond loopback without a password and https, because anybody could then read the data. */
export function checkExposure({ host, publicUrl }: ServerConfig, hasPassword: boolean): void {
  if (isLoopback(host)) return
  const missing = [
    ...(hasPassword
      ? []
      : ['the owner has no password (set PDPP_OWNER_PASSWORD, or type `pdpp owner reset-password`)']),
    ...(publicUrl?.startsWith('https:')
      ? []
      : [
          'there is no https address (set PDPP_PUBLIC_URL to that of the proxy in front, such as https://data.example.org)',
        ]),
  ]
  if (missing.length === 0) return
  throw new StartupError(
    `Refusing to listen on ${host}, where other machines could reach it: ${missing.join(', and ')}. Or leave PDPP_HOST at 127.0.0.1.`,
  )
}

import { parseArgs } from 'node:util'
import type { AdapterEnvironment } from '../../config/env.ts'

export interface StdioOptions {
  readonly providerUrl: string
  readonly cacheRoot: string | undefined
  readonly grant: string | undefined
}

export const usage = (command: string) => `Usage: ${command} --provider-url <url> [--grant <id>] [--cache-root <folder>]

Gives an MCP host read-only access to an owner's granted data, over stdin and stdout.
Get access first with: pdpp connect <url>

  --provider-url <url>   The PDPP server              (or PDPP_PROVIDER_URL)
  --grant <id>           One of several cached grants (or PDPP_GRANT; default: the latest)
  --cache-root <folder>  The folder for tokens        (or PDPP_CACHE_ROOT; default: the nearest .pdpp)
  --version, --help`

export class UsageError extends Error {}

/** Flags override variables. Unknown flags are errors, so that typos are noticed. */
export function readOptions(args: readonly string[], env: AdapterEnvironment): StdioOptions | 'help' | 'version' {
  const { values } = parsed(args)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const url = values['provider-url'] ?? env.providerUrl
  if (url === undefined || url === '') throw new UsageError('Name the server with --provider-url.')
  return {
    providerUrl: providerOrigin(url),
    cacheRoot: values['cache-root'] ?? env.cacheRoot,
    grant: values.grant ?? env.grant,
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: { 'provider-url': text, 'cache-root': text, grant: text, help: { ...flag, short: 'h' }, version: flag },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments are wrong.')
  }
}

function providerOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${text}" is not an http or https address.`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

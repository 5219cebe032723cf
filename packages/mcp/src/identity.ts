import packageJson from '../package.json' with { type: 'json' }

export interface Identity {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly icons?: { src: string; mimeType: string; sizes: string[] }[]
}

/** Hosted, the icon is at the server's own address (003.17); a local process has none to show. */
export function identity(origin?: string): Identity {
  const icons = [{ src: `${origin}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }]
  return {
    name: 'pdpp-mcp-server',
    title: 'PDPP: personal data, read-only',
    version: packageJson.version,
    ...(origin === undefined ? {} : { icons }),
  }
}

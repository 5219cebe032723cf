import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Entry } from '@pdpp/mcp-server/hosts'
import { zip } from '../../archive/zip.ts'
import { VERSION } from '../../invocation.ts'

type StdioEntry = Extract<Entry, { kind: 'stdio' }>

/** The manifest of a bundle that starts the adapter of this computer. The bundle has no data and no token in it. */
function bundleManifest(name: string, { command, args }: StdioEntry) {
  return {
    manifest_version: '0.3',
    name,
    display_name: 'PDPP: your own data',
    version: VERSION,
    description: 'Reads the parts of your own data that you allowed: mail, chats, notes, calendar and more.',
    author: { name: 'PDPP' },
    license: 'Apache-2.0',
    server: {
      type: 'binary',
      entry_point: 'README.md',
      mcp_config: { command, args: [...args], env: {} },
    },
    tools_generated: true,
  }
}

const README = `This bundle starts the PDPP adapter that is installed on this computer. It works on this computer only.
It has no data and no password in it. To end its access, open your PDPP server, Agents, and revoke it.
`

/** Writes the bundle into the current folder and returns its path. Replaces one that was made before. */
export function writeBundle(name: string, entry: StdioEntry): string {
  const path = resolve(`${name}.mcpb`)
  const manifest = `${JSON.stringify(bundleManifest(name, entry), null, 2)}\n`
  const bytes = zip([
    { name: 'manifest.json', bytes: Buffer.from(manifest) },
    { name: 'README.md', bytes: Buffer.from(README) },
  ])
  writeFileSync(path, bytes, { mode: 0o600 })
  return path
}

#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`pdpp-mcp-server needs Node 22.18 or later; this is ${process.versions.node}.`)
  process.exit(1)
}
enableCompileCache?.()
await import('../src/stdio/main.ts')

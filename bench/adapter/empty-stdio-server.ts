// The SDK's own server with nothing in it: what starting costs before we add anything.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(() => new McpServer({ name: 'empty', version: '1.0.0' }))

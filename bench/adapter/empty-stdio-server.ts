// An empty server of the SDK. Shows what starting costs without our code.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(() => new McpServer({ name: 'empty', version: '1.0.0' }))

#!/usr/bin/env node
import { start } from './start.mjs'

await start('pdpp-mcp-server-developer', 'developer-main')

import { NORMAL } from '../../entrypoints/normal.ts'
import { runStdio } from './run-stdio.ts'

// Exit even if sockets of finished calls are still open, because the host has disconnected.
process.exit(await runStdio(NORMAL, process.argv.slice(2)))

import { NORMAL } from '../../entrypoints/normal.ts'
import { runStdio } from './run-stdio.ts'

// Exit although sockets of finished calls may be open: the host has gone.
process.exit(await runStdio(NORMAL, process.argv.slice(2)))

import { NORMAL } from '../../entrypoints/normal.ts'
import { runStdio } from './run-stdio.ts'

// Sockets of finished calls must not keep the process: when the host has gone there is nobody to serve.
process.exit(await runStdio(NORMAL, process.argv.slice(2)))

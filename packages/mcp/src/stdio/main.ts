import { runStdio } from './run-stdio.ts'

// Sockets of finished calls must not keep the process: when the host has gone there is nobody to serve.
process.exit(await runStdio(process.argv.slice(2)))

import { DEVELOPER } from '../developer/entrypoint.ts'
import { runStdio } from './run-stdio.ts'

process.exit(await runStdio(DEVELOPER, process.argv.slice(2)))

import { DEVELOPER } from '../../entrypoints/developer.ts'
import { runStdio } from './run-stdio.ts'

process.exit(await runStdio(DEVELOPER, process.argv.slice(2)))

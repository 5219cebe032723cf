import { runDeveloperStdio } from './run-developer-stdio.ts'

process.exit(await runDeveloperStdio(process.argv.slice(2)))

// `npm run docs`: writes docs/cli.md from the definitions of the commands.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '../packages/cli/src/program.ts'
import { commandReference } from '../packages/cli/src/reference/markdown.ts'

const path = join(import.meta.dirname, '..', 'docs', 'cli.md')
writeFileSync(path, commandReference(createProgram()))
console.log(`Written: ${path}`)

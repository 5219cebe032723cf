// `npm run docs` writes docs/cli.md from the definitions of the commands, and docs/importers/README.md from the
// importers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '../packages/cli/src/program.ts'
import { commandReference } from '../packages/cli/src/reference/markdown.ts'
import { importers } from '../packages/importers/src/importers.ts'
import { importersPage } from './importers-page.ts'

const docs = join(import.meta.dirname, '..', 'docs')
const pages = {
  'cli.md': commandReference(createProgram()),
  'importers/README.md': importersPage(importers),
}
for (const [name, text] of Object.entries(pages)) {
  writeFileSync(join(docs, name), text)
  console.log(`Written: ${join(docs, name)}`)
}

import type { Importer, ImporterKind } from '../packages/importers/src/importer.ts'

const KINDS: Record<ImporterKind, string> = {
  chats: 'Chats',
  ai: 'Conversations with AI',
  mail: 'Mail',
  calendar: 'Calendars',
  people: 'People',
  notes: 'Notes and journals',
  documents: 'Documents',
  photos: 'Photos',
  tables: 'Anything else with rows',
}

/** The content of docs/importers/README.md: every importer, by kind. */
export function importersPage(importers: readonly Importer[]): string {
  const parts = Object.entries(KINDS).flatMap(([kind, title]) => {
    const own = importers.filter((importer) => importer.kind === kind)
    if (own.length === 0) return []
    const rows = own
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ id, name, reads }) => `| [${name}](${id}.md) | ${reads} |`)
    return [`## ${title}\n\n| service | files |\n| --- | --- |\n${rows.join('\n')}\n`]
  })
  return `# Importers

Give \`pdpp import\`, or the page Import of the console, the file, folder or zip that a service gave you. Files are recognised by their content, alone or
inside a folder or zip. [Importing files](../importing.md) says how an import goes. This page is generated: \`npm run docs\`.

${parts.join('\n')}
A file that no importer can read is listed with what it seems to be and what would make it importable. Anything that has rows can be imported as a table.
`
}

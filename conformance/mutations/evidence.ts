import { adapter, breaksOf, hosted, server } from './break.ts'

/** 001: a hit shows its evidence, and how to read more. */
export const evidence = [
  ...breaksOf('packages/server/src/search/evidence/evidence-window.ts', [
    [
      '001.1.2',
      'evidence is only the matched word',
      'const spare = Math.max(0, budget - (core.end - core.start))',
      'const spare = 0',
      hosted('evidence', '001.1.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/search/hit-text.ts', [
    [
      '001.1.1',
      'a cut excerpt does not say how to read on',
      'chars; read_record_field field_path=',
      'chars; field_path=',
      hosted('evidence', '001.1.1'),
    ],
    [
      '001.1.3',
      'a hit without evidence does not say how to read it',
      "['   (no text of it matches; fetch shows the record)']",
      '[]',
      ['packages/mcp/src/tools/search/search-hit.test.ts', '001\\.1\\.3'],
    ],
  ]),
  ...breaksOf('packages/server/src/search/evidence/hit-evidence.ts', [
    [
      '001.1.3',
      'a function word counts as evidence of a hit by context',
      '  if (isContext) return { excerpts: [], shortExcerpts: [], begins: beginningOfRecord(record) }\n',
      '',
      server('search/search-context', 'a hit by context is no evidence'),
    ],
    [
      '001.1.3',
      'a hit by author alone shows no text of the record',
      'const begins = proofs.every(isName) ? beginningOfRecord(record) : undefined',
      'const begins = undefined',
      server('search/search-previews', 'a hit by author alone'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/calling/record-handle.ts', [
    [
      '001.2.1',
      'a record URI is no longer understood',
      'const parsed = id.startsWith(RECORD) ? uriRecord(id) : parseResultId(id)',
      'const parsed = parseResultId(id)',
      hosted('evidence', '001.2.1'),
    ],
    [
      '001.2.2',
      'a field-window URI is no longer understood',
      'if (id?.startsWith(WINDOW)) return uriWindow(id, args)',
      '',
      hosted('evidence', '001.2.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/read-record-field/read-record-field.ts', [
    [
      '001.2.3',
      'the next part of a field is not in the text',
      '...(next ? [`next: ',
      '...(next === null ? [`next: ',
      hosted('evidence', '001.2.3 reading on'),
    ],
    [
      '001.2.3',
      'the previous part of a field is not in the text',
      '...(previous ? [`previous: ',
      '...(previous === null ? [`previous: ',
      hosted('evidence', '001.2.3'),
    ],
    [
      '001.2.3',
      'the text does not say where the match is',
      '? ` match at ',
      '? ` found near ',
      hosted('evidence', '001.2.3'),
    ],
    [
      '001.3.1',
      'a complete text does not say that it is complete',
      "if (complete === true) return 'complete.'",
      "if (complete === true) return ''",
      hosted('evidence', '001.3.1'),
    ],
    [
      '001.4.1',
      'the text does not say how to export bytes',
      '`Export: the owner opens $',
      '`Export: the owner opens ',
      hosted('blobs', '001.4.1 a file shows its text'),
    ],
    [
      '001.4.1',
      'the text of a file cannot be reached from the file',
      "textOf(text['field']) === undefined ? undefined : { id, field_path: String(text['field']), offset_chars: 0 }",
      'undefined as { id: string; field_path: string; offset_chars: number } | undefined',
      ['tests/adapter/ask-the-demo-tasks.test.ts', '001\\.4\\.1'],
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/document-metadata.ts', [
    [
      '001.4.1',
      'a cut document does not say that it is cut',
      '    text_truncated: true,\n',
      '',
      hosted('evidence', '001.4.1 a large field'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/tools/fetch/document.ts', [
    [
      '001.4.1',
      'a document does not list its files',
      '    ...filesOf(record, { id, handle, providerUrl }),\n',
      '',
      hosted('blobs', '001.4.1 a file shows its text'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/rendering/blob.ts', [
    [
      '001.4.1',
      'the command that saves a file leaves out the source',
      'const connection = connectionId === undefined ?',
      'const connection = connectionId !== null ?',
      adapter('blobs', 'hosted 2026-07-28.*001\\.4\\.1 a file shows its text'),
    ],
  ]),
  ...breaksOf('packages/server/src/search/hits/hit.ts', [
    [
      '001.5.1',
      'reading on from an excerpt begins at the start of the field',
      'offset_chars: window_start_chars }',
      'offset_chars: 0 }',
      server('search/search', '001\\.5\\.1'),
    ],
  ]),
  ...breaksOf('packages/cli/src/commands/read/hit-text.ts', [
    [
      '001.5.2',
      'the command under a hit opens the field at its beginning',
      '...recordWords(hit, field), ...from]',
      '...recordWords(hit, field)]',
      ['packages/cli/tests/printed-commands.test.ts', '001\\.5\\.2 the command under a hit'],
    ],
  ]),
]

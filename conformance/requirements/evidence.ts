import { type Requirement, requirement, scenario } from './entry.ts'

/** 001: from a hit to the words that prove it, in steps that never end blind. */
export const evidence: Requirement[] = [
  requirement(
    '001.1',
    'MCP Surfaces A Complete Evidence Ladder',
    'Text leads from compact discovery to a bounded preview, to a bounded read of a field, to the whole only when it is needed.',
  ),
  scenario(
    '001.1.1',
    'Content-only client can inspect proven search evidence',
    'The text of a search alone shows a bounded preview of the matched field and what is needed to read more of it.',
  ),
  scenario(
    '001.1.2',
    'Search evidence includes bounded surrounding context',
    'The preview has words around the marked match, and shrinks to the bare term only where the field holds nothing more.',
  ),
  scenario(
    '001.1.3',
    'Preview without proven body match does not invent evidence',
    'A hit that matched only in metadata shows no passage of the body, but does say how to read it.',
  ),
  requirement(
    '001.2',
    'Visible Handles Are Not Dead Ends',
    'Whatever handle a model is shown, there is a call it can make with it.',
  ),
  scenario(
    '001.2.1',
    'Record URI appears in visible output',
    'A record URI in a result can be read as a resource or passed to a read tool, and the result says which.',
  ),
  scenario(
    '001.2.2',
    'Field-window URI appears in visible output',
    'A field-window URI in a result works in a documented bounded read, even where a host cannot read resources.',
  ),
  scenario(
    '001.2.3',
    'Ordinary bounded reads hide unreliable field-window resources',
    'An inline field read gives text, offsets, truncation, the match where there is one, and the arguments of the next and previous window, and no unproven URI.',
  ),
  requirement(
    '001.3',
    'Ordinary Evidence Stays Inline',
    'Small text comes back as text, not as a file that the host has to open.',
  ),
  scenario(
    '001.3.1',
    'Small granted text field is read',
    'A bounded read returns the text itself, never only a link or a file, with total size, served range, whether that is all, and how to continue.',
  ),
  requirement(
    '001.4',
    'Large Data Escalates Deliberately',
    'Large or binary content is previewed within bounds, and reading or exporting more is a step of its own.',
  ),
  scenario(
    '001.4.1',
    'Large or binary field is inspected',
    'Media type, size and a safe preview are returned with an explicit way to read on or export, and a cut is never silent.',
  ),
  requirement(
    '001.5',
    'MCP Evidence Semantics Have REST And CLI Parity',
    'REST and the command line offer the same steps as MCP, under names that suit them.',
  ),
  scenario(
    '001.5.1',
    'REST search returns a proven match window',
    'A hit carries an evidence object with field path, bounded preview, truncation and the request that reads on.',
  ),
  scenario(
    '001.5.2',
    'CLI user inspects a search result',
    'The command line prints the preview and the command that reads that field, without exporting the record.',
  ),
]

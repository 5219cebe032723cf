import { type Requirement, requirement, scenario } from './entry.ts'

/** 001: a hit shows its evidence, and every step says how to read more. */
export const evidence: Requirement[] = [
  requirement(
    '001.1',
    'MCP Surfaces A Complete Evidence Ladder',
    'The text leads from a compact list to a short preview, then to a part of a field, and to the whole only if it is needed.',
  ),
  scenario(
    '001.1.1',
    'Content-only client can inspect proven search evidence',
    'The text of a search shows a short preview of the matched field and how to read more of it.',
  ),
  scenario(
    '001.1.2',
    'Search evidence includes bounded surrounding context',
    'The preview has words around the marked match. It is only the matched word if the field has nothing more.',
  ),
  scenario(
    '001.1.3',
    'Preview without proven body match does not invent evidence',
    'A hit that matched only in metadata shows no passage of the body, but says how to read it.',
  ),
  requirement(
    '001.2',
    'Visible Handles Are Not Dead Ends',
    'For every handle that a model sees, there is a call that accepts it.',
  ),
  scenario(
    '001.2.1',
    'Record URI appears in visible output',
    'A record URI in a result can be read as a resource or passed to a read tool, and the result says which.',
  ),
  scenario(
    '001.2.2',
    'Field-window URI appears in visible output',
    'A field-window URI in a result works in a documented bounded read, even if a host cannot read resources.',
  ),
  scenario(
    '001.2.3',
    'Ordinary bounded reads hide unreliable field-window resources',
    'An inline field read returns the text, its offsets, whether it is cut, the match if there is one, and the arguments of the next and previous window. It returns no URI that may not work.',
  ),
  requirement(
    '001.3',
    'Ordinary Evidence Stays Inline',
    'Small text is returned as text, not as a file that the host has to open.',
  ),
  scenario(
    '001.3.1',
    'Small granted text field is read',
    'A bounded read returns the text itself, never only a link or a file. It includes the total size, the returned range, whether it is complete, and how to continue.',
  ),
  requirement(
    '001.4',
    'Large Data Escalates Deliberately',
    'Large or binary content has a short preview. Reading or exporting more is a separate step.',
  ),
  scenario(
    '001.4.1',
    'Large or binary field is inspected',
    'The result has the media type, the size, a safe preview and how to read on or export. It always says if something is cut.',
  ),
  requirement(
    '001.5',
    'MCP Evidence Semantics Have REST And CLI Parity',
    'REST and the command line offer the same steps as MCP, under names that suit them.',
  ),
  scenario(
    '001.5.1',
    'REST search returns a proven match window',
    'A hit has an evidence object with the field path, a short preview, whether it is cut, and the request that reads on.',
  ),
  scenario(
    '001.5.2',
    'CLI user inspects a search result',
    'The command line prints the preview and the command that reads that field, without exporting the record.',
  ),
]

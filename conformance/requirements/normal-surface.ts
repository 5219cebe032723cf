import { type Requirement, requirement, scenario } from './entry.ts'

/** 000: what every agent gets, without choosing anything. */
export const normalSurface: Requirement[] = [
  requirement(
    '000.1',
    'MCP recommended setup SHALL be profile-free',
    'There is one recommended way to connect an agent, and no profile, toolset or mode to pick before it.',
  ),
  scenario(
    '000.1.1',
    'Recommended setup is presented to an operator',
    'For each supported client one path comes first, free of event tools, developer tools, owner credentials and profiles.',
  ),
  scenario(
    '000.1.2',
    'Local stdio setup is configured',
    'Neither a flag nor a variable of the stdio adapter selects a profile, and it serves the same tools as hosted MCP.',
  ),
  requirement(
    '000.2',
    'Normal MCP read surface SHALL contain exact read tools',
    'The normal surface is schema, query_records, aggregate, search, fetch and the bounded read read_record_field, chosen between sources by connection_id.',
  ),
  scenario(
    '000.2.1',
    'Client lists MCP tools',
    'The recommended endpoint lists those six tools and no others: no list_streams, no fetch_blob, no event tools.',
  ),
  scenario(
    '000.2.2',
    'Client inspects data-tool selector arguments',
    'All read tools, which may have to tell sources apart, offer an optional connection_id, and none offers connector_instance_id.',
  ),
  scenario(
    '000.2.3',
    'Normal read tool is invoked',
    'A tool call is answered through the resource server under the same grant, never widened and never retried as the owner.',
  ),
  requirement(
    '000.3',
    'MCP normal surface SHALL preserve owner-token rejection',
    'MCP works with grant-scoped tokens only and turns every owner-level credential away.',
  ),
  scenario(
    '000.3.1',
    'Owner bearer reaches MCP setup',
    'An owner token in a request gets 403, and one in the environment or cache stops the stdio adapter, scoped token or not.',
  ),
  requirement(
    '000.4',
    'MCP normal surface footprint SHALL be measured',
    'Tests fix which tools are listed and how many bytes the list may take.',
  ),
  scenario(
    '000.4.1',
    'Normal tool list is generated in tests',
    'The serialised list stays under its budget, and one event or developer tool in it makes the test fail.',
  ),
  requirement(
    '000.5',
    'MCP schema discovery SHALL be model-visible and bounded',
    'Schema is a small index by default, details come per stream, and what a model needs for its next call is in the text.',
  ),
  scenario(
    '000.5.1',
    'Client requests global schema discovery',
    'Without a stream the answer is the compact index, whose text names every granted stream and leads on to schema(stream).',
  ),
  scenario(
    '000.5.2',
    'Client requests stream-scoped schema discovery',
    'For a stream that several sources have, the text sums up fields and aggregations of each, enough to form valid arguments.',
  ),
  scenario(
    '000.5.3',
    'Client narrows a shared stream to one connection',
    'With stream and connection_id only that pair is described, its identity and all its read capabilities being in the text.',
  ),
  scenario(
    '000.5.4',
    'Client uses compact schema flags',
    'Where capabilities are abbreviated, a legend in the text lets a reader of the text alone write correct arguments.',
  ),
  scenario(
    '000.5.5',
    'Client requests exhaustive schema',
    'Full detail without a stream is refused before anything is fetched, and the error says which scoped call to make instead.',
  ),
  scenario(
    '000.5.6',
    'Client requests scoped exhaustive schema',
    'Full detail of a stream holds only matching rows, once, directly in structuredContent.data, bounded; several sources without connection_id give ambiguous_connection.',
  ),
  scenario(
    '000.5.7',
    'Client sees paged or incremental results',
    'A cursor, a change bookmark or a count that the server returned is in the text as well, so that a text-only client can go on.',
  ),
  requirement(
    '000.6',
    'MCP fan-in search SHALL apply global limits and source identity',
    'A search over several connections has one limit for the merged hits, each of which says where it comes from.',
  ),
  scenario(
    '000.6.1',
    'Client searches without a connection scope',
    'At most N hits in all, each with connection_id, connector_key, stream, record id and label, a readable title unlike the snippet whose time is the authored one, and balanced marks; a mix of sources is stated.',
  ),
  scenario(
    '000.6.2',
    'Client searches with a connection scope',
    'Only the named granted connection is searched, and the limit counts its hits.',
  ),
  requirement(
    '000.7',
    'MCP projected reads SHALL narrow payloads and fetch SHALL stay document-shaped',
    'Asking for fields returns those fields, and fetch always returns one plain document, in structured form and as the same JSON text.',
  ),
  scenario(
    '000.7.1',
    'Client fetches a document from a search result',
    'structuredContent has id, title, text, url and metadata and nothing else, the text is that object as JSON, and metadata keeps the source.',
  ),
  scenario(
    '000.7.2',
    'Client fetches a projected document',
    'With fields the record is narrowed before the document is made: an unrequested value is nowhere in the result, the source still is.',
  ),
  scenario(
    '000.7.3',
    'Client queries projected records',
    'With fields the data of each record holds exactly those, and the identity that stays beside them is documented.',
  ),
  requirement(
    '000.8',
    'MCP source ambiguity errors SHALL be bounded and fast',
    'A read that has to name its source and does not is refused at once, with candidates to retry with.',
  ),
  scenario(
    '000.8.1',
    'Client omits connection identity on a multi-source package',
    'ambiguous_connection with retry_with comes without probing any member, names grant, connector and connection of each candidate, and says when the list is cut, how many there are, and that schema has them all.',
  ),
]

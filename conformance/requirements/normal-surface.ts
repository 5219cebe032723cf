import { type Requirement, requirement, scenario } from './entry.ts'

/** 000: the normal surface, which every agent gets. */
export const normalSurface: Requirement[] = [
  requirement(
    '000.1',
    'MCP recommended setup SHALL be profile-free',
    'There is one recommended way to connect an agent. It needs no choice of a profile, toolset or mode.',
  ),
  scenario(
    '000.1.1',
    'Recommended setup is presented to an operator',
    'For each supported client, the first way has no event tools, developer tools, owner credentials or profiles.',
  ),
  scenario(
    '000.1.2',
    'Local stdio setup is configured',
    'Neither a flag nor a variable of the stdio adapter selects a profile, and it serves the same tools as hosted MCP.',
  ),
  requirement(
    '000.2',
    'Normal MCP read surface SHALL contain exact read tools',
    'The normal surface is schema, query_records, aggregate, search, fetch and the bounded read read_record_field. connection_id chooses between sources.',
  ),
  scenario(
    '000.2.1',
    'Client lists MCP tools',
    'The recommended endpoint lists those six tools and no others: no list_streams, no fetch_blob, no event tools.',
  ),
  scenario(
    '000.2.2',
    'Client inspects data-tool selector arguments',
    'All read tools have an optional connection_id, which distinguishes sources, and none has connector_instance_id.',
  ),
  scenario(
    '000.2.3',
    'Normal read tool is invoked',
    'A tool call is answered through the resource server under the same grant, never widened and never retried as the owner.',
  ),
  requirement(
    '000.3',
    'MCP normal surface SHALL preserve owner-token rejection',
    'MCP works only with tokens of grants and refuses every credential of the owner.',
  ),
  scenario(
    '000.3.1',
    'Owner bearer reaches MCP setup',
    'An owner token in a request gets 403. One in the environment or in the cache stops the stdio adapter, even if there is a scoped token too.',
  ),
  requirement(
    '000.4',
    'MCP normal surface footprint SHALL be measured',
    'Tests check which tools are listed and how many bytes the list may have.',
  ),
  scenario(
    '000.4.1',
    'Normal tool list is generated in tests',
    'The serialised list stays under its budget, and one event or developer tool in it makes the test fail.',
  ),
  requirement(
    '000.5',
    'MCP schema discovery SHALL be model-visible and bounded',
    'By default the schema is a short index. Details are returned for one stream. The text has everything that a model needs for its next call.',
  ),
  scenario(
    '000.5.1',
    'Client requests global schema discovery',
    'Without a stream the answer is the compact index. Its text names every granted stream and says to call schema(stream) next.',
  ),
  scenario(
    '000.5.2',
    'Client requests stream-scoped schema discovery',
    'For a stream that several sources have, the text lists the fields and aggregations of each, so that a model can write valid arguments.',
  ),
  scenario(
    '000.5.3',
    'Client narrows a shared stream to one connection',
    'With stream and connection_id only that pair is described. The text has its identity and all its read capabilities.',
  ),
  scenario(
    '000.5.4',
    'Client uses compact schema flags',
    'If capabilities are abbreviated, the text has a legend, so that the text alone is enough to write correct arguments.',
  ),
  scenario(
    '000.5.5',
    'Client requests exhaustive schema',
    'Full detail without a stream is refused before anything is fetched, and the error says which scoped call to make instead.',
  ),
  scenario(
    '000.5.6',
    'Client requests scoped exhaustive schema',
    'Full detail of a stream has only matching rows, once, directly in structuredContent.data, within a byte budget. Several sources without connection_id are the error ambiguous_connection.',
  ),
  scenario(
    '000.5.7',
    'Client sees paged or incremental results',
    'A cursor, a change bookmark or a count that the server returned is in the text as well, so that a client that shows only the text can continue.',
  ),
  requirement(
    '000.6',
    'MCP fan-in search SHALL apply global limits and source identity',
    'A search over several connections has one limit for the merged hits. Each hit names its source.',
  ),
  scenario(
    '000.6.1',
    'Client searches without a connection scope',
    'There are at most N hits in all. Each has connection_id, connector_key, stream, record id and label, a readable title that is not the snippet and has the time of writing, and balanced marks. The text says if hits are from several sources.',
  ),
  scenario(
    '000.6.2',
    'Client searches with a connection scope',
    'Only the named granted connection is searched, and the limit counts its hits.',
  ),
  requirement(
    '000.7',
    'MCP projected reads SHALL narrow payloads and fetch SHALL stay document-shaped',
    'A request for some fields returns only those fields. fetch always returns one plain document, in structured form and as the same JSON text.',
  ),
  scenario(
    '000.7.1',
    'Client fetches a document from a search result',
    'structuredContent has only id, title, text, url and metadata. The text is that object as JSON. The metadata names the source.',
  ),
  scenario(
    '000.7.2',
    'Client fetches a projected document',
    'With fields, the record is narrowed before the document is made. The result has the source, but no value that was not requested.',
  ),
  scenario(
    '000.7.3',
    'Client queries projected records',
    'With fields, the data of each record has exactly those fields. The members that identify the record remain and are documented.',
  ),
  requirement(
    '000.8',
    'MCP source ambiguity errors SHALL be bounded and fast',
    'A read that must name its source but does not is refused at once. The error lists the possible connections.',
  ),
  scenario(
    '000.8.1',
    'Client omits connection identity on a multi-source package',
    'The error ambiguous_connection with retry_with is returned without probing any member. It names grant, connector and connection of each possibility. If the list is cut, it says how many there are and that schema lists all.',
  ),
]

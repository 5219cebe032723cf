import { type Requirement, requirement, scenario } from './entry.ts'

/** 003.10 to 003.16 and 003.19: the arguments and the results of the tools. */
export const tools: Requirement[] = [
  requirement(
    '003.10',
    'MCP Query Filters Are Agent-Usable Without Hand-Encoded Bracket Strings',
    'A filter is an object of exact values and ranges by field name. The adapter encodes it and refuses anything else.',
  ),
  scenario(
    '003.10.1',
    'Client lists filtered read tools',
    'query_records, aggregate and search declare filter as an object of scalars and range objects, with no string form.',
  ),
  scenario(
    '003.10.2',
    'Agent supplies a typed exact filter',
    'An exact value is sent as filter[field]=value. A bare filter parameter is never sent.',
  ),
  scenario(
    '003.10.3',
    'Agent supplies a typed range filter',
    'A range is sent as filter[field][op]=value with gte, gt, lte and lt as the only operators.',
  ),
  scenario(
    '003.10.4',
    'String filter is supplied',
    'A filter given as any string is refused before the server is called, and the error says to use the object form.',
  ),
  scenario(
    '003.10.5',
    'Empty or pre-encoded typed filter objects are rejected',
    'An empty filter object, or a key with brackets in it, is an error that says what to do, and nothing is sent.',
  ),
  scenario(
    '003.10.6',
    'Aggregate accepts the same typed filter',
    'aggregate accepts and encodes the filter as query_records does, and refuses a string with the same kind of error.',
  ),
  requirement(
    '003.11',
    'MCP Expand Limits Are Encoded As Resource-Server Bracket Parameters',
    'expand_limit is an object by relation, which the adapter checks and then encodes for the server.',
  ),
  scenario(
    '003.11.1',
    'Agent supplies typed expand limits on a record query',
    'query_records sends expand and expand_limit[relation]=N, and no bare expand_limit.',
  ),
  scenario(
    '003.11.2',
    'Agent supplies typed expand limits on a fetch',
    'fetch sends expand_limit[relation]=N, and no bare expand_limit.',
  ),
  scenario(
    '003.11.3',
    'Empty or pre-encoded expand-limit objects are rejected',
    'An empty expand_limit object, or a key with brackets in it, is an error that says what to do, and the server is not called.',
  ),
  requirement(
    '003.12',
    'MCP Aggregate Results Are Readable In Tool Text',
    'The text of an aggregate says what was computed and its value. structuredContent.data has the complete answer of the server.',
  ),
  scenario(
    '003.12.1',
    'Scalar aggregate surfaces the number in text',
    'The text of an aggregate without groups has metric, stream and value. structuredContent.data has the answer of the server.',
  ),
  scenario(
    '003.12.2',
    'Grouped aggregate previews buckets in text',
    'The text of an aggregate with groups has the dimension and a limited number of groups with their counts. structuredContent.data has all of them.',
  ),
  requirement(
    '003.13',
    'MCP Aggregate Tool Surfaces Truncation Signals In-Band',
    'A model can tell from one answer whether there were more groups than it was shown.',
  ),
  scenario(
    '003.13.1',
    'Aggregate description mentions other_count',
    'The description of aggregate names other_count and says that a value above zero means that only the largest groups are shown.',
  ),
  scenario(
    '003.13.2',
    'Aggregate text summary includes other_count when present',
    'If the server returns other_count, the text shows its value with the groups.',
  ),
  requirement(
    '003.14',
    'MCP Search Results Are Usable In Tool Text',
    'The text of a search lists its hits with complete ids and source labels, briefly and without repetition.',
  ),
  scenario(
    '003.14.1',
    'Search surfaces fetch handles in text',
    'Each hit has its complete id and, if known, stream, label, connector key, title and snippet. The text says to pass the id unchanged, and connection_id only if it is shown.',
  ),
  scenario(
    '003.14.2',
    'Search text remains bounded',
    'The text stays short with many hits or long snippets. structuredContent.data has the complete answer of the search.',
  ),
  requirement(
    '003.15',
    'MCP Fetch Results Are Usable In Tool Text',
    'The text of a fetch is enough to know which record it is and to answer from it.',
  ),
  scenario(
    '003.15.1',
    'Fetch surfaces the fetched document in text',
    'The text is the JSON of the document. It has id, title, the known ids of the source, and the text of the document within a limit.',
  ),
  scenario(
    '003.15.2',
    'Fetch understands canonical record wrappers',
    'Title, text, url and source come from the data inside a record wrapper. The text is never only a reference to another place.',
  ),
  requirement(
    '003.16',
    'Hosted MCP Package Search Merges Canonical Child Hits',
    'A search of a package searches the granted streams of each member and merges the hits, in whatever envelope they were returned.',
  ),
  scenario(
    '003.16.1',
    'Unscoped package search merges canonical child list envelopes',
    'Hits that members return in data[] are in the merged answer, each naming its member.',
  ),
  scenario(
    '003.16.2',
    'Package search stream filter is evaluated per child grant',
    'Each member is searched only in those of the requested streams that its own grant has, so none fails with grant_stream_not_allowed.',
  ),
  scenario(
    '003.16.3',
    'Package search skips children outside the stream filter',
    'A member with none of the requested streams is not read at all, and the others still answer.',
  ),
  scenario(
    '003.16.4',
    'Scoped package search still selects one child',
    'With a connection_id only the member that has it is read.',
  ),
  requirement(
    '003.19',
    'MCP Search Result Ids Are Self-Contained Fetch Handles',
    'An id from search, {connection_id}/{stream}:{record_id}, is all that fetch needs; the older {stream}:{record_id} still works.',
  ),
  scenario(
    '003.19.1',
    'Multi-source search returns self-contained ids',
    'If hits are from several connections, each id names its connection. Text and results have the complete id, and results also have connection_id.',
  ),
  scenario(
    '003.19.2',
    'Single-handle search-to-fetch journey on a multi-source grant',
    'An id from the text of a search can be fetched without another argument, even if a bare id would be ambiguous. The document has the same id.',
  ),
  scenario(
    '003.19.3',
    'Legacy id semantics are preserved',
    'A bare stream:record_id still works. connection_id chooses its connection, and without one an ambiguous read is an error.',
  ),
  scenario(
    '003.19.4',
    'Conflicting connection handles are rejected',
    'An id of one connection with a connection_id of another is a typed error, and the server is not called.',
  ),
  scenario(
    '003.19.5',
    'Malformed self-contained ids are rejected before the RS',
    'An id with an empty part, a raw extra separator or a path traversal is a typed error, and the server is not called.',
  ),
]

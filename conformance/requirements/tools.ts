import { type Requirement, requirement, scenario } from './entry.ts'

/** 003.10 to 003.16 and 003.19: what the tools take and what they give back. */
export const tools: Requirement[] = [
  requirement(
    '003.10',
    'MCP Query Filters Are Agent-Usable Without Hand-Encoded Bracket Strings',
    'A filter is an object of exact values and ranges by field name; the adapter does the encoding and refuses anything else.',
  ),
  scenario(
    '003.10.1',
    'Client lists filtered read tools',
    'query_records, aggregate and search declare filter as an object of scalars and range objects, with no string form.',
  ),
  scenario(
    '003.10.2',
    'Agent supplies a typed exact filter',
    'An exact value is sent as filter[field]=value, and a bare filter parameter never is.',
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
    'An empty filter object, or a key with brackets in it, is an actionable error and nothing is sent.',
  ),
  scenario(
    '003.10.6',
    'Aggregate accepts the same typed filter',
    'aggregate takes and encodes the filter just as query_records does, and refuses a string with the same kind of error.',
  ),
  requirement(
    '003.11',
    'MCP Expand Limits Are Encoded As Resource-Server Bracket Parameters',
    'expand_limit is an object by relation, which the adapter encodes for the server and checks first.',
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
    'An empty expand_limit object, or a key with brackets in it, is an actionable error and the server is not called.',
  ),
  requirement(
    '003.12',
    'MCP Aggregate Results Are Readable In Tool Text',
    'The text of an aggregate states what was computed and the number, while the envelope stays whole in structuredContent.data.',
  ),
  scenario(
    '003.12.1',
    'Scalar aggregate surfaces the number in text',
    'An ungrouped aggregate gives metric, stream and number in the text, and the envelope in structuredContent.data.',
  ),
  scenario(
    '003.12.2',
    'Grouped aggregate previews buckets in text',
    'A grouped aggregate shows the dimension and a bounded number of its buckets with counts in the text, and all of them in the envelope.',
  ),
  requirement(
    '003.13',
    'MCP Aggregate Tool Surfaces Truncation Signals In-Band',
    'A model can tell from one answer whether there were more groups than it was shown.',
  ),
  scenario(
    '003.13.1',
    'Aggregate description mentions other_count',
    'The description of aggregate names other_count and says that above zero the groups were cut to the largest.',
  ),
  scenario(
    '003.13.2',
    'Aggregate text summary includes other_count when present',
    'When the server returns other_count, its value stands beside the groups in the text.',
  ),
  requirement(
    '003.14',
    'MCP Search Results Are Usable In Tool Text',
    'The text of a search previews its hits with complete ids and source labels, compactly and without saying anything twice.',
  ),
  scenario(
    '003.14.1',
    'Search surfaces fetch handles in text',
    'Each previewed hit has its whole id and what is known of stream, label, connector key, title and snippet, and the text says to pass the id as it is, and connection_id only where it is shown.',
  ),
  scenario(
    '003.14.2',
    'Search text remains bounded',
    'Many hits or long snippets do not swell the text, and structuredContent.data keeps the full canonical envelope of the search.',
  ),
  requirement(
    '003.15',
    'MCP Fetch Results Are Usable In Tool Text',
    'The text of a fetch is enough to know which record it is and to answer from it.',
  ),
  scenario(
    '003.15.1',
    'Fetch surfaces the fetched document in text',
    'The text has id, title, the known source handles and bounded document text, as the JSON of the document itself.',
  ),
  scenario(
    '003.15.2',
    'Fetch understands canonical record wrappers',
    'Title, text, url and source come from the data inside a record wrapper, and the text never merely points elsewhere.',
  ),
  requirement(
    '003.16',
    'Hosted MCP Package Search Merges Canonical Child Hits',
    'A search of a package asks each member about the streams it grants and merges the hits, whichever envelope they came in.',
  ),
  scenario(
    '003.16.1',
    'Unscoped package search merges canonical child list envelopes',
    'Hits that members return in data[] are in the merged answer, each naming its member.',
  ),
  scenario(
    '003.16.2',
    'Package search stream filter is evaluated per child grant',
    'Of the requested streams each member is asked only about those its own grant has, so none fails with grant_stream_not_allowed.',
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
    'With hits from several connections each id names its own, whole in text and results, and results keep connection_id besides.',
  ),
  scenario(
    '003.19.2',
    'Single-handle search-to-fetch journey on a multi-source grant',
    'An id copied from the text of a search is fetched with no other argument where a bare id would be ambiguous, and comes back as the id.',
  ),
  scenario(
    '003.19.3',
    'Legacy id semantics are preserved',
    'A bare stream:record_id is read as before: connection_id scopes it, and without one an ambiguous read says so.',
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

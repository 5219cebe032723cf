import { type Requirement, requirement, scenario } from './entry.ts'

/** 004: what the surface costs a model before it has read anything, and how honest it is about results. */
export const footprint: Requirement[] = [
  requirement(
    '004.1',
    'MCP server instructions SHALL carry shared tool-use guidance',
    'What concerns all tools is said once, in the server instructions, event preflight included, and their first 512 characters suffice on their own.',
  ),
  scenario(
    '004.1.1',
    'Client initializes the MCP server',
    'The instructions open with schema first, connection_id, typed filters and narrow paging, and never ask for an owner token.',
  ),
  requirement(
    '004.2',
    'MCP tool descriptions SHALL avoid duplicated cross-tool prose',
    'A tool describes its own action briefly and does not repeat guidance that belongs to all.',
  ),
  scenario(
    '004.2.1',
    'Client lists tools',
    'Read tools and event-subscription tools keep their names, no advice on connection_id is repeated from tool to tool, and only event discovery explains signing and delivery.',
  ),
  scenario(
    '004.2.2',
    'Tool descriptions remain routable',
    'Each description says what the tool does, whether it changes anything and which endpoint it stands for, and points to schema or the instructions for the rest.',
  ),
  requirement(
    '004.3',
    'MCP discovery footprint SHALL be measured',
    'A test holds the default tool list to its byte budget and keeps removed repetition from coming back.',
  ),
  scenario(
    '004.3.1',
    'Default tool list is generated in tests',
    'The list is within its budget, instructions are there, and no long guidance on events or connection_id stands in many tool schemas.',
  ),
  requirement(
    '004.4',
    'MCP result surfaces SHALL not claim hidden structured data',
    'Both halves of a result may reach the model, so nothing is called hidden and both are kept small.',
  ),
  scenario(
    '004.4.1',
    'Read tool descriptions mention structured output',
    'Descriptions call structuredContent structured output and advise paging, fewer fields, or aggregate and search.',
  ),
  scenario(
    '004.4.2',
    'Full result-budget redesign is needed',
    'If hosts still cut results, explicit controls of detail are to follow; they are here: every result keeps to a byte budget on hostile data, pages end by bytes, and schema has detail.',
  ),
  requirement(
    '004.5',
    'MCP adapter SHALL gate expand to streams that advertise it',
    'Expansion is checked against the live schema before records are asked for; without a schema the server decides.',
  ),
  scenario(
    '004.5.1',
    'Client requests expand on a stream with advertised expand_capabilities',
    'Where the stream advertises expansion, the request goes through and its answer comes back unchanged.',
  ),
  scenario(
    '004.5.2',
    'Client requests expand on a stream with no expand_capabilities',
    'Where it does not, query_records and fetch answer invalid_expand naming the stream and where capabilities are listed, and records are not requested.',
  ),
  scenario(
    '004.5.3',
    'Schema advertisement matches enforcement',
    'A change of what a stream advertises holds from the next call on, without a restart.',
  ),
]

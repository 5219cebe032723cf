import { type Requirement, requirement, scenario } from './entry.ts'

/** 004: the size of instructions, descriptions and results, and the checks of expand. */
export const footprint: Requirement[] = [
  requirement(
    '004.1',
    'MCP server instructions SHALL carry shared tool-use guidance',
    'Guidance for all tools is written once, in the server instructions, including the steps before a subscription. Their first 512 characters are enough on their own.',
  ),
  scenario(
    '004.1.1',
    'Client initializes the MCP server',
    'The instructions begin with schema first, connection_id, typed filters and narrow paging, and never ask for an owner token.',
  ),
  requirement(
    '004.2',
    'MCP tool descriptions SHALL avoid duplicated cross-tool prose',
    'A tool describes its own action briefly and does not repeat guidance for all tools.',
  ),
  scenario(
    '004.2.1',
    'Client lists tools',
    'Read tools and event-subscription tools keep their names. No advice on connection_id is repeated from tool to tool. Only event discovery explains signing and delivery.',
  ),
  scenario(
    '004.2.2',
    'Tool descriptions remain routable',
    'Each description says what the tool does, whether it changes anything and which endpoint it calls. For everything else it names schema or the instructions.',
  ),
  requirement(
    '004.3',
    'MCP discovery footprint SHALL be measured',
    'A test checks the byte budget of the default tool list and fails if removed repetition comes back.',
  ),
  scenario(
    '004.3.1',
    'Default tool list is generated in tests',
    'The list is within its budget, there are instructions, and long guidance on events or connection_id is not repeated in many tool schemas.',
  ),
  requirement(
    '004.4',
    'MCP result surfaces SHALL not claim hidden structured data',
    'Both the text and the structured output may reach the model, so neither is called hidden and both are short.',
  ),
  scenario(
    '004.4.1',
    'Read tool descriptions mention structured output',
    'Descriptions call structuredContent structured output and advise paging, fewer fields, or aggregate and search.',
  ),
  scenario(
    '004.4.2',
    'Full result-budget redesign is needed',
    'If hosts still cut results, controls of detail are needed. They exist: every result stays within a byte budget on hostile data, pages end by their size, and schema has detail.',
  ),
  requirement(
    '004.5',
    'MCP adapter SHALL gate expand to streams that advertise it',
    'Expansion is checked against the current schema before records are requested. Without a schema the server decides.',
  ),
  scenario(
    '004.5.1',
    'Client requests expand on a stream with advertised expand_capabilities',
    'If the stream advertises expansion, the request is sent and its answer is returned unchanged.',
  ),
  scenario(
    '004.5.2',
    'Client requests expand on a stream with no expand_capabilities',
    'If it does not, query_records and fetch answer invalid_expand and request no records. The error names the stream and the tool that lists its capabilities.',
  ),
  scenario(
    '004.5.3',
    'Schema advertisement matches enforcement',
    'If the capabilities of a stream change, the next call uses them without a restart.',
  ),
]

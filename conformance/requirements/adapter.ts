import { type Requirement, requirement, scenario } from './entry.ts'

/** 003.1 to 003.9, 003.17 and 003.18: tokens, transports, metadata, schema and errors of the adapter. */
export const adapter: Requirement[] = [
  requirement(
    '003.1',
    'Stdio MCP Adapter Uses Scoped PDPP Tokens',
    'The stdio adapter reads with a token that was issued earlier and is in the local cache. It issues no grants and collects no data.',
  ),
  scenario(
    '003.1.1',
    'Cached grant token is present',
    'With a provider URL and a grant whose token is cached, it serves MCP over stdio and sends that token on every call.',
  ),
  scenario(
    '003.1.2',
    'Credential cache is empty',
    'Without a usable token it exits with an error that says to run pdpp connect <provider-url>. It does not try an owner credential.',
  ),
  scenario(
    '003.1.3',
    'Owner token is present in the environment',
    'An owner credential in the environment is never used: the adapter refuses to start.',
  ),
  requirement(
    '003.2',
    'MCP Surface Is Read-Only and Grant-Scoped',
    'Tools call the read and event-subscription routes of the resource server and return no more than these do. They name sources by connector_key and connection_id.',
  ),
  scenario(
    '003.2.1',
    'Agent lists streams',
    'The developer tool list_streams asks GET /v1/streams with the scoped token and returns only the granted streams, each with connector key and connection.',
  ),
  scenario(
    '003.2.2',
    'Agent queries records',
    'query_records passes on the arguments that the server supports, and an argument it does not know is refused.',
  ),
  scenario(
    '003.2.3',
    'Agent fetches a blob',
    'The developer tool fetch_blob reads a blob through the resource server with the same token, and from nowhere else.',
  ),
  scenario(
    '003.2.4',
    'Tool description names source selectors',
    'Tool schemas distinguish sources by connection_id, and contain neither connector URLs nor connector_instance_id.',
  ),
  requirement(
    '003.3',
    'MCP Errors Preserve PDPP Authorization Semantics',
    'An error of the server reaches the client with its meaning, and the call is not retried with more access.',
  ),
  scenario(
    '003.3.1',
    'Package child grant is unusable',
    'A member whose grant is refused is not offered as a usable connection, and the error says to approve it again or to choose another.',
  ),
  requirement(
    '003.4',
    'MCP Process Keeps Protocol Output Clean',
    'Standard output of the stdio process carries MCP messages and nothing else.',
  ),
  scenario(
    '003.4.1',
    'Adapter logs diagnostic output',
    'Messages of the adapter about its start, its cache or a request go to standard error.',
  ),
  requirement(
    '003.5',
    'Hosted MCP Uses Streamable HTTP',
    'The server speaks MCP at /mcp with the same tools as the stdio adapter.',
  ),
  scenario(
    '003.5.1',
    'MCP client initializes over HTTP',
    'A client with a valid scoped token initialises at /mcp over Streamable HTTP, with no local process.',
  ),
  scenario(
    '003.5.2',
    'Stdio client remains supported',
    'The stdio command of @pdpp/mcp-server serves the same read-only surface.',
  ),
  requirement(
    '003.6',
    'Hosted MCP Is Grant-Scoped And Read-Only',
    'Every read at /mcp goes through the routes that enforce the grant, and nothing there changes data or settings.',
  ),
  scenario(
    '003.6.1',
    'Request has no bearer',
    'Without a token, /mcp answers with an authentication error that names its protected-resource metadata.',
  ),
  scenario('003.6.2', 'Request has owner bearer', '/mcp refuses a valid owner token and returns no data of the owner.'),
  scenario(
    '003.6.3',
    'Tool reads records',
    'A tool that reads records calls /v1 with the same client token and returns no more than that call did.',
  ),
  requirement(
    '003.7',
    'MCP schema Compact Output Aligns With REST Compact Schema Semantics',
    'Compact means the same in the schema tool and in GET /v1/schema?view=compact. Full detail must be requested by name.',
  ),
  scenario(
    '003.7.1',
    'MCP compact schema uses the REST compact view',
    'The tool requests the compact view, with the stream if one was given, and carries its body unchanged in structuredContent.data.',
  ),
  scenario(
    '003.7.2',
    'MCP compact schema falls back without diverging',
    'If a server lacks that view, the tool builds it from the full schema, with the same flags, scope and byte budget, and with connections once per connector.',
  ),
  scenario(
    '003.7.3',
    'MCP full schema remains explicit',
    'With detail full the tool returns the complete body of the server, not the compact one.',
  ),
  requirement(
    '003.8',
    'Hosted MCP Supports ChatGPT-Compatible Search And Fetch',
    'search and fetch have the shapes that research clients expect. The other tools use the shapes of the protocol.',
  ),
  scenario(
    '003.8.1',
    'Client searches records',
    'search looks through the granted records and returns results with stable ids, readable titles and URLs to cite.',
  ),
  scenario(
    '003.8.2',
    'Client fetches a search result',
    'fetch with an id from search returns one document: id, title, text, url and metadata.',
  ),
  scenario(
    '003.8.3',
    'Client uses PDPP-native tools',
    'schema and query_records, and on the developer entrypoint list_streams and fetch_blob, keep the envelopes of the server.',
  ),
  requirement(
    '003.9',
    'Hosted MCP Metadata Is Discoverable',
    'Protected-resource metadata names the URL of hosted MCP, as an adapter that does not replace the query API.',
  ),
  scenario(
    '003.9.1',
    'Client reads protected-resource metadata',
    'The root metadata names the MCP endpoint and keeps pdpp_core_query_base at /v1.',
  ),
  scenario(
    '003.9.2',
    'Client reads MCP protected-resource metadata',
    'The metadata below /mcp names /mcp as the resource, client tokens as the only kind, and the URL of the endpoint.',
  ),
  scenario(
    '003.9.3',
    'Deployment is behind a trusted proxy',
    'Behind a trusted proxy the advertised MCP URL has the public origin that the proxy forwarded.',
  ),
  requirement(
    '003.17',
    'Hosted MCP initialize metadata SHALL advertise the reference icon',
    'Clients learn the public icon through MCP, without fields that the standards do not have.',
  ),
  scenario(
    '003.17.1',
    'Hosted MCP client initializes',
    'The initialize answer has serverInfo.icons with the public /icon.svg, its media type and size any.',
  ),
  scenario(
    '003.17.2',
    'Hosted MCP challenge advertises icon link',
    'The answer to a client without a valid token has a Link header to the same icon.',
  ),
  scenario(
    '003.17.3',
    'Client reads protected-resource metadata',
    'The metadata has standard fields and approved extensions only, and no logo_uri.',
  ),
  requirement(
    '003.18',
    'Hosted MCP Authorization Challenges SHALL Use A Stable Resource Identity',
    'A 401 of hosted MCP always names the /mcp resource, both in its header and in its body.',
  ),
  scenario(
    '003.18.1',
    'Anonymous hosted MCP request is challenged',
    'The answer is 401, its Bearer challenge carries the metadata URL of /mcp, and error.resource_metadata repeats it.',
  ),
  scenario(
    '003.18.2',
    'Path-specific metadata remains discoverable',
    'The document at that URL names the hosted endpoint and the kinds of token that it accepts.',
  ),
]

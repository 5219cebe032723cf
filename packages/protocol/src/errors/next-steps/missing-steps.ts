import type { ErrorCode } from '../error-codes.ts'
import { everywhere, type NextSteps, UPDATE } from './sentences.ts'

const LISTS_CONNECTIONS = '`pdpp read streams` lists the connections that you may read.'

/** The next steps after things and addresses that do not exist (404, 405). */
export const MISSING_STEPS = {
  not_found: {
    rest: 'Check the name or id. GET /v1/schema (the schema tool) lists what this token can read.',
    tool: 'Check the name or id: schema lists what can be read, search finds ids.',
    command: 'Check the name or id: `pdpp read streams` lists streams, `pdpp read search` finds ids.',
    console: 'Go back, or search for it.',
  },
  blob_not_found: {
    rest: 'Check the blob id against a record that you can read.',
    tool: 'Check the blob id against a record that you can read.',
    command: 'Check the id: a record shows it as blob_ref.',
    console: 'Open the item again. The file may have been deleted.',
  },
  connection_not_found: {
    rest: 'Use a connection_id from GET /v1/schema (the schema tool).',
    tool: 'Use a connection_id that schema lists.',
    command: LISTS_CONNECTIONS,
    console: 'Sources lists them.',
  },
  connector_not_found: {
    rest: 'Use a connector_key from GET /v1/connectors, or declare the source first.',
    tool: 'Use a connector_key that schema lists.',
    command: '`pdpp owner source list` lists the sources that are declared.',
    console: 'Sources lists them.',
  },
  field_not_found: {
    ...everywhere('Choose a field that this record has.'),
    console: 'Choose a field that this item has.',
  },
  query_not_found: {
    rest: 'Search for other words, or read the field from an offset.',
    tool: 'Search the field for other words, or read it from an offset.',
    command: 'Look for other words, or read the field from an offset with --offset.',
    console: 'Look for other words.',
  },
  stream_not_declared: {
    rest: 'Use a stream that the source declares; GET /v1/connectors lists them.',
    tool: 'Use a stream that schema lists.',
    command: 'Use a stream that the source declares: `pdpp owner source show <source>` lists them.',
    console: 'Browse shows the parts of each source.',
  },
  method_not_allowed: {
    ...UPDATE,
    rest: 'Use a method that the Allow header names.',
    console: 'Go back and use the links and buttons of the page.',
  },
} as const satisfies Partial<Record<ErrorCode, NextSteps>>

/** Errors whose text differs from the standard text of their code. */
export const MISSING_REASONS = {
  not_found: {
    address: {
      rest: 'GET / lists where to start.',
      tool: 'Ask the owner to check the address of the server.',
      command: 'Check the address of the server.',
      console: 'Go back, or start at Home.',
    },
    stream: {
      rest: 'Check the name; GET /v1/schema (the schema tool) lists the streams.',
      tool: 'Call schema without arguments for the names.',
      command: '`pdpp read streams` lists the names.',
      console: 'Browse shows the parts of each source.',
    },
    client: {
      rest: 'GET /v1/owner/clients lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner client list` lists them.',
      console: 'Agents lists them.',
    },
    grant: {
      rest: 'GET /v1/owner/grants lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner grant list` lists them.',
      console: 'Agents lists them.',
    },
    package: {
      rest: 'GET /v1/owner/packages lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner package list` lists them.',
      console: 'Agents lists them.',
    },
    wish: {
      rest: 'GET /v1/owner/wishes lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner wish list` lists them.',
      console: 'The page of the agent lists what it asked for.',
    },
  },
  connection_not_found: {
    owned: {
      rest: 'GET /v1/owner/connections lists them.',
      tool: 'Use a connection_id that schema lists.',
      command: '`pdpp owner connection list` lists them.',
      console: 'Sources lists them.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>

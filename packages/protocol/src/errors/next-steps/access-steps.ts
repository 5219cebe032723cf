import type { ErrorCode } from '../error-codes.ts'
import { everywhere, type NextSteps } from './sentences.ts'

const LISTS_READABLE_FIELDS =
  '`pdpp read schema <stream>` lists the fields that you may read. For more, ask again with: {connect}'

const ASK_AGAIN = 'Ask the owner, or ask again with: {connect}'

const AGENT_PAGE = 'The page of this agent under Agents shows what it may read.'

/** For HTTP only, because the adapter and the command line put the address itself into their answers. */
const SHOW_OWNER = 'Show the owner request_access_url, where they can allow it'

const ASK_OWNER: NextSteps = {
  rest: 'Ask the owner for a grant that includes it, or leave it out.',
  tool: 'Ask the owner for a grant that includes it, or leave it out.',
  command: `Your access does not include it. ${ASK_AGAIN}`,
  console: AGENT_PAGE,
}

const NEW_GRANT: NextSteps = {
  rest: 'Ask the owner for a new grant.',
  tool: 'Ask the owner for a new grant.',
  command: ASK_AGAIN,
  console: AGENT_PAGE,
}

const OTHER_CONNECTION: NextSteps = {
  rest: 'Ask the owner for a new grant, or use another connection_id from GET /v1/schema (the schema tool).',
  tool: 'Ask the owner for a new grant, or use another connection_id that schema lists.',
  command: 'Ask the owner for a new grant, or name another connection that `pdpp read streams` lists.',
  console: AGENT_PAGE,
}

/** The next steps after requests that need a token or access (401, 403, 421). */
export const ACCESS_STEPS = {
  authentication_error: {
    rest: 'Send a valid bearer token. A client gets one by asking the owner for a grant.',
    tool: 'The token no longer works. The owner has to connect this client again and restart it.',
    command: 'The token is no longer valid. Get another with: {connect}',
    console: 'Sign in again.',
  },
  permission_error: {
    rest: 'Use a token of the kind that this route accepts.',
    tool: 'Ask the owner to do this.',
    command: ASK_AGAIN,
    console: 'Start again from the page or the application that brought you here.',
  },
  grant_stream_not_allowed: {
    rest: `${SHOW_OWNER}, or leave it out.`,
    tool: 'Use a stream that schema lists; only the owner can add others.',
    command: '`pdpp read streams` lists what you may read. For more, ask again with: {connect}',
    console: AGENT_PAGE,
  },
  field_not_granted: {
    rest: `${SHOW_OWNER}, or leave it out.`,
    tool: 'Use a field that the grant includes; only the owner can add others.',
    command: LISTS_READABLE_FIELDS,
    console: AGENT_PAGE,
  },
  insufficient_scope: ASK_OWNER,
  grant_time_range_exceeded: {
    ...everywhere('Choose a time range inside the one that the grant allows.'),
    console: AGENT_PAGE,
    rest: `${SHOW_OWNER}, or choose a time range inside the one that the grant allows.`,
  },
  grant_expired: { ...NEW_GRANT, command: `This access has ended. ${ASK_AGAIN}` },
  grant_revoked: { ...NEW_GRANT, command: `The owner ended this access. ${ASK_AGAIN}` },
  grant_paused: {
    ...everywhere('Wait until the owner resumes the grant, or ask them to.'),
    command: 'The owner paused this access. Try again later, or ask the owner.',
    console: 'You can resume it on the page of this agent under Agents.',
  },
  grant_invalid: NEW_GRANT,
  grant_consumed: NEW_GRANT,
  package_revoked: NEW_GRANT,
  origin_not_allowed: {
    rest: 'Send the request from a page of this server, or without an Origin header.',
    tool: 'The owner has to connect this client again.',
    command: 'Check the address of the server, then run the command again.',
    console: 'Open the page on this server and send the form from there.',
  },
  form_expired: everywhere('Open the page again and send the form once more.'),
  misdirected_request: everywhere('Use the address that this server is configured for.'),
} as const satisfies Partial<Record<ErrorCode, NextSteps>>

/** Errors whose text differs from the standard text of their code. */
export const ACCESS_REASONS = {
  permission_error: {
    owner_token: {
      ...everywhere('Ask the owner to remove it and to connect this client with `pdpp connect`.'),
      command: 'Get the token of a grant with: {connect}',
      console: 'Remove the owner token from this agent, and connect it with `pdpp connect`.',
    },
  },
  grant_stream_not_allowed: {
    other_connection: {
      rest: 'Use one of the named connections instead, as connection_id or in the id.',
      tool: 'Use one of the named connections instead, as connection_id or in the id.',
      command: 'Use one of the named connections instead, with --connection or in the id.',
      console: AGENT_PAGE,
    },
  },
  grant_expired: { package_member: OTHER_CONNECTION },
  grant_revoked: { package_member: OTHER_CONNECTION },
  grant_paused: {
    package_member: {
      rest: 'Wait until the owner resumes the grant, or use another connection_id from GET /v1/schema (the schema tool).',
      tool: 'Wait until the owner resumes the grant, or use another connection_id that schema lists.',
      command: 'Try again later, or name another connection that `pdpp read streams` lists.',
      console: 'You can resume it on the page of this agent under Agents.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>

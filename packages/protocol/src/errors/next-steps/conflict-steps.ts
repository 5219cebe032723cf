import type { ErrorCode } from '../error-codes.ts'
import { everywhere, FIRST_PAGE, type NextSteps } from './sentences.ts'

/** The next steps after requests that conflict with the current state (408 to 410). */
export const CONFLICT_STEPS = {
  request_stalled: {
    rest: 'Send the whole request again, without a long pause.',
    tool: 'Make the same call again.',
    command: 'Run the command again.',
    console: 'Send it again.',
  },
  ambiguous_connection: {
    rest: 'Repeat the request with one of available_connections as connection_id.',
    tool: 'Call again with one of available_connections as connection_id. schema lists all of them.',
    command: 'Name one of them with --connection.',
    console: 'Choose one of the sources and open it from there.',
  },
  already_exists: everywhere('Choose another id, or use the one that exists.'),
  already_revoked: everywhere('You need not do anything.'),
  archive_running: everywhere('Wait until the other one is done, or cancel its download. Then try again.'),
  backup_by_database: everywhere(
    'Use `pg_dump` and `pg_restore`. They keep everything, with or without a running server.',
  ),
  invalid_state: {
    rest: 'Read the subscription and look at its status.',
    tool: 'Read the subscription and look at its status.',
    command: 'List the subscriptions to see their status.',
    console: 'Open the page of the agent again to see the status of its subscriptions.',
  },
  import_state: {
    ...everywhere('Open the page of the import again to see what it can do now.'),
    command: 'Run the command again. Repeating it is safe.',
  },
  approval_conflict: everywhere('Review the request again.'),
  cursor_expired: {
    ...FIRST_PAGE,
    command: 'Run the command again without --cursor; to read all changes again, use --since-last --restart.',
  },
} as const satisfies Partial<Record<ErrorCode, NextSteps>>

/** Errors whose text differs from the standard text of their code. */
export const CONFLICT_REASONS = {
  ambiguous_connection: {
    some_have_stream: {
      rest: 'Repeat the request with one of available_connections as connection_id; those that have the stream come first.',
      tool: 'Call again with one of available_connections as connection_id; those that have the stream come first.',
      command: 'Name one of them with --connection; those that have the stream come first.',
      console: 'Choose one of the sources and open it from there.',
    },
    more_than_listed: {
      rest: 'Choose a connection_id from GET /v1/schema (the schema tool), which lists all of them, and repeat the request.',
      tool: 'Call again with one of available_connections as connection_id. schema lists all of them.',
      command: 'Name one with --connection; `pdpp read streams` lists all of them.',
      console: 'Choose one of the sources and open it from there.',
    },
  },
  cursor_expired: {
    changes: {
      rest: 'Drop your copy of the stream and start again with changes_since=beginning.',
      tool: 'Drop your copy of the stream and start again with changes_since "beginning".',
      command: 'Drop your copy of the stream and start again with --since-last --restart.',
      console: 'Open the list again from its first page.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>

import type { ErrorCode } from '../error-codes.ts'
import { everywhere, type NextSteps, UPDATE } from './sentences.ts'

const WAIT: NextSteps = {
  rest: 'Wait for the seconds in Retry-After, then try again.',
  tool: 'Wait a little, then make the same call again.',
  command: 'Wait a little, then run the command again.',
  console: 'Wait a little, then try again.',
}

/** The next steps after limits and faults of the server (413 and up). */
export const SERVER_STEPS = {
  resource_limit: {
    rest: 'Send less in one request.',
    tool: 'Ask for less in one call.',
    command: 'Send less at once.',
    console: 'Send less at once.',
  },
  unsupported_media_type: {
    ...UPDATE,
    rest: 'Send the content type that the message names.',
    console: 'Go back and use the form of the page.',
  },
  range_not_satisfiable: {
    rest: 'Ask for bytes inside the size that the message names, or leave out Range.',
    tool: 'Ask for bytes inside the size that the message names.',
    command: 'Ask for bytes inside the size that the message names.',
    console: 'Open the file again from its item.',
  },
  field_not_text: {
    rest: 'Read the record with fields=<field> instead.',
    tool: 'Read the record with fetch and fields instead.',
    command: 'Read the record with `pdpp read record` and --fields instead.',
    console: 'Open the item instead.',
  },
  rate_limit_exceeded: WAIT,
  api_error: {
    rest: 'Try again. If it fails again, give the request id to the owner of the server.',
    tool: 'Try the call again. If it fails again, tell the owner of the server.',
    command: 'Try again. `pdpp doctor` finds the cause.',
    console: 'Try again. If it fails again, look at the log of the server.',
  },
  server_unreachable: everywhere('Check that the server runs and can be reached, then try again.'),
  ingest_batch_storage_error: {
    ...everywhere('Send the whole request again. Repeating it is safe.'),
    command: 'Run the command again. Repeating it is safe.',
  },
  server_busy: WAIT,
  request_timeout: everywhere('Ask for less at once, or try again later.'),
  storage_damaged: {
    rest: 'Tell the owner of the server to run `pdpp doctor`: it says what is damaged and what to restore.',
    tool: 'Tell the owner of the server to run `pdpp doctor`: it says what is damaged and what to restore.',
    command: '`pdpp doctor` says what is damaged and what to restore.',
    console: 'Run `pdpp doctor` on the machine that has the data: it says what is damaged and what to restore.',
  },
  storage_unavailable: {
    ...WAIT,
    command: 'Wait a little, then run the command again. `pdpp doctor` looks for the cause.',
    console: 'Wait a little, then try again. If it lasts, `pdpp doctor` looks for the cause.',
  },
  insufficient_storage: everywhere('Make room on the disk of the server, then try again.'),
} as const satisfies Partial<Record<ErrorCode, NextSteps>>

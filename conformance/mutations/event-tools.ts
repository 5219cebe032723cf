import { adapter, breaksOf, hosted } from './break.ts'

const folder = 'packages/mcp/src/tools/event-subscriptions'

/** Event subscriptions on the developer surface, and what a host hears while it listens. */
export const eventTools = [
  ...breaksOf(`${folder}/create/definition.ts`, [
    [
      '004.2.1',
      'a second tool explains how events are signed',
      'First: event_subscription_capabilities.',
      'Events are signed with the secret whsec_….',
      hosted('developer-list', '004.2.1'),
    ],
  ]),
  ...breaksOf(`${folder}/test-event/definition.ts`, [
    [
      '004.2.1',
      'an event tool is called otherwise',
      "name: 'send_test_event'",
      "name: 'test_event'",
      hosted('developer-list', '004.2.1'),
    ],
  ]),
  ...breaksOf(`${folder}/delete/definition.ts`, [
    [
      '004.2.2',
      'deleting a subscription is not marked as destructive',
      'destructiveHint: true',
      'destructiveHint: false',
      hosted('developer-list', '004.2.2'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/entrypoints/instructions/developer.ts', [
    [
      '004.1.1',
      'the preflight of events is not in the instructions',
      'Before create_event_subscription: event_subscription_capabilities says',
      'event_subscription_capabilities says',
      hosted('developer-list', '004.1.1'),
    ],
  ]),
  ...breaksOf(`${folder}/create/create.ts`, [
    [
      'point 44',
      'a subscription hears of more than was asked for',
      'const body = { callback_url, delivery, filters: filtersOf(call.args) }',
      'const body = { callback_url, delivery }',
      adapter('developer-events', 'hosted 2026-07-28.*a stream outside the grant is refused'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/entrypoints/normal.ts', [
    [
      '000.2.1',
      'hosts can listen on the normal surface',
      'listens: false',
      'listens: true',
      adapter('developer-events', 'hosted 2026-07-28.*the normal server does not listen'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/listening/updated-notification.ts', [
    [
      'point 2',
      'a notification comes without its bookmark',
      '[EVENT_META_KEY]: event',
      '[EVENT_META_KEY]: {}',
      adapter('developer-events', 'a host hears of a change with its bookmark .hosted'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/mcp/in-process-subscription-server.ts', [
    [
      'point 16',
      'a listener goes on with a token that was revoked',
      '    await this.#check()\n    return reply',
      '    return reply',
      adapter('developer-events', 'a revoked token hears nothing more'),
    ],
  ]),
]

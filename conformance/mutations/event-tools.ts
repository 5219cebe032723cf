import { adapter, breaksOf, hosted } from './break.ts'

const folder = 'packages/mcp/src/tools/event-subscriptions'

/** Event subscriptions on the developer surface, and notifications to a host that listens. */
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
      'an event tool has another name',
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
      'the instructions do not say what to do before a subscription',
      'Before create_event_subscription: event_subscription_capabilities says',
      'event_subscription_capabilities says',
      hosted('developer-list', '004.1.1'),
    ],
  ]),
  ...breaksOf(`${folder}/create/create.ts`, [
    [
      'point 44',
      'a subscription includes more than was requested',
      'const body = { callback_url, delivery, filters: filtersOf(call.args) }',
      'const body = { callback_url, delivery }',
      adapter('developer-events', 'hosted 2026-07-28.*a stream outside the grant is refused'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/entrypoints/normal.ts', [
    [
      '000.2.1',
      'the normal surface offers notifications',
      'listens: false',
      'listens: true',
      adapter('developer-events', 'hosted 2026-07-28.*the normal server offers no notifications'),
    ],
  ]),
  ...breaksOf('packages/mcp/src/listening/updated-notification.ts', [
    [
      'point 2',
      'a notification has no bookmark',
      '[EVENT_META_KEY]: event',
      '[EVENT_META_KEY]: {}',
      adapter('developer-events', 'a notification of a change has its bookmark .hosted'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/mcp/in-process-subscription-server.ts', [
    [
      'point 16',
      'a listener continues after its token was revoked',
      '    await this.#check()\n    return reply',
      '    return reply',
      adapter('developer-events', 'a revoked token gets no more notifications'),
    ],
  ]),
]

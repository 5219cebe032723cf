// The grants and packages that the owner creates before the first request. Their tokens send the requests.

/** The bodies with which the owner creates the grants. */
export const grants = {
  chat: { connections: ['chat'], streams: [{ name: 'messages', fields: ['channel', 'author', 'text'] }] },
  'work mail': {
    connections: ['mail-work'],
    streams: [
      { name: 'messages', fields: ['subject', 'from_name'] },
      { name: 'attachments', fields: ['filename', 'media_type', 'size_bytes'] },
    ],
  },
  september: { connections: ['mail-personal', 'mail-work'], since: '2026-09-01', until: '2026-10-01' },
  'two notes': { connections: ['notes'], resources: ['note_v5s3ukgtr4', 'note_9urjzbk723'] },
  narrowed: { connections: ['purchases'] },
  paused: { connections: ['calendar'] },
  revoked: { connections: ['calendar'] },
  odd: { connections: ['odd'] },
  assistant: { connections: ['assistant'] },
  calendar: { connections: ['calendar'] },
  harbour: { connections: ['chat'] },
  contacts: { connections: ['contacts'] },
  mail: { connections: ['mail-personal', 'mail-work'] },
  music: { connections: ['music'] },
  notes: { connections: ['notes'] },
  purchases: { connections: ['purchases'] },
  'notes of the pair': { connections: ['notes'] },
  'purchases of the pair': { connections: ['purchases'] },
  'music that is left': { connections: ['music'] },
  'contacts that went': { connections: ['contacts'] },
  'calendar that rests': { connections: ['calendar'] },
  'the only one': { connections: ['notes'] },
} as const

export const packages = {
  everything: ['assistant', 'calendar', 'harbour', 'contacts', 'mail', 'music', 'notes', 'purchases'],
  pair: ['notes of the pair', 'purchases of the pair'],
  partial: ['music that is left', 'contacts that went', 'calendar that rests'],
  ended: ['the only one'],
} as const satisfies Record<string, readonly (keyof typeof grants)[]>

/** The owner's actions after all grants and packages exist. */
export const changes: readonly (readonly [holder: Holder, action: string, body?: object])[] = [
  ['narrowed', 'narrow', { streams: [{ name: 'orders', fields: ['merchant', 'total_cents'] }] }],
  ['paused', 'pause'],
  ['revoked', 'revoke'],
  ['contacts that went', 'revoke'],
  ['calendar that rests', 'pause'],
  ['ended', 'revoke'],
]

export type Holder = keyof typeof grants | keyof typeof packages

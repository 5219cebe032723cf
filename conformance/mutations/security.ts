import { breaksOf, server } from './break.ts'

/** Consent, grants, tokens, events, receipts and redirects. */
export const security = [
  ...breaksOf('packages/server/src/authorization/consent/choice.ts', [
    [
      'checklist 5',
      'an unticked source is still shared',
      'if (wasOn) return off(parts.size > 0 ? parts : kept)',
      'if (wasOn && parts.size === 0) return off(kept)',
      ['packages/server/src/authorization/consent/choice.test.ts', 'unticked'],
    ],
    [
      'checklist 5',
      'a request ticks sensitive streams',
      'streams.filter(({ sensitive }) => !sensitive))\n  if',
      'streams)\n  if',
      ['packages/server/src/authorization/consent/consent-properties.test.ts', 'ticks sensitive sources'],
    ],
  ]),
  ...breaksOf('packages/server/src/authorization/consent/shared-presets.ts', [
    [
      'checklist 5',
      'a quick choice ticks sensitive streams',
      'if (!stream || sensitive) return []',
      'if (!stream) return []',
      ['packages/server/src/authorization/consent/consent-properties.test.ts', 'another agent holds'],
    ],
  ]),
  ...breaksOf('packages/server/src/authorization/consent/review.ts', [
    [
      'checklist 5',
      'the seal of the page does not cover fields and days',
      '    draft.streams,\n',
      '    draft.streams.map(({ name }) => name),\n',
      ['packages/server/src/authorization/consent/consent-properties.test.ts', 'same seal'],
    ],
  ]),
  ...breaksOf('packages/server/src/console/consent/source-fold.ts', [
    [
      'checklist 5',
      'a closed section loses the choice of fields',
      'if (fields.length === maxGrant.fields.length) return html``',
      'if (fields.length > 0) return html``',
      ['packages/server/src/console/consent/form-properties.test.ts', 'means what was shown'],
    ],
  ]),
  ...breaksOf('packages/server/src/grants/enforce.ts', [
    [
      'point 5',
      'a field outside the grant can be requested',
      'if (!includesField(scope.usable, name)) {',
      'if (!includesField(scope.usable, name) && param === "") {',
      server('grants/grants-limit-reads', 'refuses fields, streams and connections'),
    ],
    [
      'point 5',
      'a filter can use a hidden field',
      'if (!includesField(scope.usable, name)) {',
      "if (!includesField(scope.usable, name) && !param.startsWith('filter')) {",
      server('grants/grants-limit-reads', 'refuses fields, streams and connections'),
    ],
    [
      'point 14',
      'a grant reads every connection of its source',
      'existing.filter((id) => granted.instance_ids.includes(id))',
      '[...existing]',
      server('grants/grants-limit-reads', 'refuses fields, streams and connections'),
    ],
    [
      'point 24',
      'the time limit of a grant is ignored',
      '  if (!constraint) return\n',
      '  if (constraint !== null) return\n',
      server('grants/hidden-records', 'gives the same bytes'),
    ],
    [
      'point 11',
      'a grant of one source applies to another source',
      'return source.connector_key === declaration.connector_key ? streams : []',
      'return streams',
      ['packages/server/src/grants/enforce.test.ts', 'another source with a granted name'],
    ],
  ]),
  ...breaksOf('packages/server/src/subscriptions/dispatcher.ts', [
    [
      'checklist 16',
      'a hidden change causes an event',
      "if (total === 0 && !isWiped && changed.gap !== 'now') return { changed }",
      'if (total < 0) return { changed }',
      server('events/hidden-changes', 'hidden changes make no event'),
    ],
  ]),
  ...breaksOf('packages/server/src/subscriptions/webhook-delivery.ts', [
    [
      'checklist 27',
      'a receiver is activated by any answer',
      'if (outcome.isSuccess) await this.#succeeded(event)',
      'if (outcome.status !== undefined) await this.#succeeded(event)',
      server('events/webhook', 'never activates a receiver'),
    ],
    [
      'checklist 27',
      'an address is not checked when an event is sent',
      'hosts: callbackHosts(allowsPrivate, reach),',
      'hosts: { ...reach, isAllowed: () => true },',
      server('events/refusals', 'checks the address of a name again'),
    ],
  ]),
  ...breaksOf('packages/server/src/subscriptions/subscription-service.ts', [
    [
      'checklist 27',
      'enabling a subscription skips its verification',
      "const isProved = current.delivery === 'poll' || current.verifiedAt !== undefined",
      'const isProved = true',
      server('events/webhook', 'never activates a receiver'),
    ],
  ]),
  ...breaksOf('packages/server/src/records/filter.ts', [
    [
      'point 24',
      'a filter outside the granted time finds nothing instead of being refused',
      'if (Math.max(from, since) >= Math.min(to, until)) {',
      'if (Number.isNaN(from)) {',
      server('reads/filters', 'narrows a filter to the granted time'),
    ],
  ]),
  ...breaksOf('packages/server/src/grants/refusal.ts', [
    [
      'point 16',
      'a revoked grant still reads',
      "if (revokedAt !== undefined) return 'revoked'",
      '',
      server('grants/grants-limit-reads', 'keeps meaning in refusals'),
    ],
    [
      'point 16',
      'a grant does not expire',
      'Date.parse(grant.expires_at) <= now',
      'Date.parse(grant.expires_at) <= 0',
      server('grants/grants-limit-reads', 'keeps meaning in refusals'),
    ],
  ]),
  ...breaksOf('packages/server/src/tokens/token-service.ts', [
    [
      'point 16',
      'a revoked token still works',
      'return this.#tokens.revoke(hashToken(bearer), Date.now())',
      'return Promise.resolve(true)',
      server('oauth/tokens', 'an access token ends alone'),
    ],
    [
      'point 16',
      'a token without an expiry cannot be revoked',
      'if (!found || wasRevoked(found.token)) throw',
      'if (!found) throw',
      server('oauth/tokens', 'which has no end of its own'),
    ],
    [
      'point 15',
      'a token works for surfaces that it was not issued for',
      "if (found.token.kind !== 'owner' && !found.token.audience.includes(audience))",
      'if (found.token.audience.length === 0)',
      server('grants/packages', 'takes a token only where it is for'),
    ],
  ]),
  ...breaksOf('packages/server/src/routes/guards/authenticate.ts', [
    [
      'point 37',
      'a read leaves no receipt',
      ': disclosed(c, reader, authority)',
      ': []',
      server('grants/receipts', 'leaves a receipt for every client read'),
    ],
    [
      'point 37',
      'a refused read leaves no receipt',
      '? [refusal(c, reader, refusedAccessId(c, authority), toPdppError(c.error, context.storage).code)]',
      '? []',
      server('grants/receipts', 'leaves a receipt for every client read'),
    ],
    [
      '003.6',
      'a client token opens routes of the owner',
      "if ('authority' in authentication && authentication.authority.kind === 'owner') {",
      "if ('authority' in authentication) {",
      server('grants/grants-limit-reads', 'refuses fields, streams and connections'),
    ],
  ]),
  ...breaksOf('packages/server/src/receipts/receipt-service.ts', [
    [
      'point 37',
      'a read whose receipt cannot be written is answered',
      "throw new PdppError('server_busy', 'The read was refused",
      "void new PdppError('server_busy', 'The read was refused",
      server('grants/receipts', 'does not answer a read'),
    ],
  ]),
  ...breaksOf('packages/server/src/storage/sqlite/installation/file-check.ts', [
    [
      'point 37',
      'a start accepts the receipts of another installation',
      'if (facts.id !== undefined && facts.id !== id) return foreign(directory)',
      '',
      ['packages/server/src/storage/sqlite/installation/file-check.test.ts', 'another installation'],
    ],
  ]),
  ...breaksOf('packages/server/src/ingest/ingest-service.ts', [
    [
      'point 33',
      'a batch that is sent again does not count as accepted',
      '        this.#accepted++\n        this.#unchanged++\n',
      '        this.#unchanged++\n',
      server('ingest/ingest', 'accepts the same batch twice'),
    ],
  ]),
  ...breaksOf('packages/server/src/clients/redirect-uri.ts', [
    [
      'checklist 1',
      'codes are sent to any scheme except javascript',
      'const known = APPLICATIONS.has(scheme) ||',
      "const known = scheme !== 'javascript' ||",
      ['packages/server/src/clients/redirect-uri.test.ts', 'is refused'],
    ],
    [
      'checklist 1',
      'codes are sent to schemes of an operating system',
      '(REVERSE_DOMAIN.test(scheme) && !SYSTEM.test(scheme))',
      'REVERSE_DOMAIN.test(scheme)',
      ['packages/server/src/clients/redirect-uri.test.ts', 'is refused'],
    ],
  ]),
  ...breaksOf('packages/server/src/http/request/request-origin.ts', [
    [
      'point 36',
      'requests with any Host are answered',
      'if (!isOurs(host)) throw',
      "if (host === '') throw",
      server('http/hosts-and-origins', 'answers 421'),
    ],
    [
      'point 36',
      'pages of any origin may send requests',
      'if (origin !== undefined && !isOwnOrigin(c, origin) && !open(c, origin))',
      "if (origin === 'nobody')",
      server('http/hosts-and-origins', 'answers 403 to pages'),
    ],
  ]),
]

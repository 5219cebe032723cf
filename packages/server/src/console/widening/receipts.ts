import type { WideningDraft } from '../../grants/widening/draft.ts'
import type { Receipt } from '../../receipts/receipt-store.ts'
import type { Http } from '../../routes/environment.ts'

/** The entries of the owner's decision in the activity log: one for each grant that changes, with a line per stream. */
export function receiptsOf(
  c: Http,
  subjectId: string,
  draft: Pick<WideningDraft, 'changed'>,
  operation = 'widen',
): Receipt[] {
  const at = Date.now()
  return draft.changed.flatMap((grant) =>
    grant.streams.map(({ name, fields, instance_ids: connections }, index) => ({
      ...{ at, subjectId, operation, connections, fields },
      // This is the owner's own entry, so it names no agent as reader.
      clientId: undefined,
      grantId: grant.grant_id,
      surface: 'console',
      connectorKey: grant.source.connector_key,
      stream: name,
      records: [],
      bytes: 0,
      outcome: 'ok',
      requestId: c.get('requestId'),
      ...(index === 0 ? {} : { continues: true }),
    })),
  )
}

import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const perMinute = z.int().min(0).max(1e12).nullable().optional()
const settingsSchema = z.strictObject({
  receipt_retention_days: z.number().nullable().optional(),
  grant_requests_per_minute: perMinute,
  grant_rows_per_minute: perMinute,
  grant_bytes_per_minute: perMinute,
  event_delivery: z.boolean().optional(),
  event_private_addresses: z.boolean().optional(),
})

/** GET /v1/owner/settings */
export function readSettings(context: Context): Handler<HttpEnvironment> {
  return async (c) => c.json(await settings(context, c.get('authority').subjectId))
}

/** PATCH /v1/owner/settings: what is not named stays as it is. */
export function writeSettings(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const body = await parsedBody(c, settingsSchema)
    if (body.receipt_retention_days !== undefined)
      await context.receipts.setRetention(subjectId, body.receipt_retention_days)
    await context.allowances.setLimits({
      requests: body.grant_requests_per_minute,
      rows: body.grant_rows_per_minute,
      bytes: body.grant_bytes_per_minute,
    })
    await context.eventSettings.change(subjectId, {
      sendsEvents: body.event_delivery,
      allowsPrivate: body.event_private_addresses,
    })
    return c.json(await settings(context, subjectId))
  }
}

async function settings({ receipts, eventSettings, allowances: { limits } }: Context, subjectId: string) {
  return {
    object: 'settings',
    receipt_retention_days: await receipts.retentionDays(subjectId),
    grant_requests_per_minute: limits.requests,
    grant_rows_per_minute: limits.rows,
    grant_bytes_per_minute: limits.bytes,
    event_delivery: await eventSettings.sendsEvents(subjectId),
    event_private_addresses: await eventSettings.allowsPrivate(subjectId),
  }
}

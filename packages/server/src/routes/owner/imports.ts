import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const MAX_FILES = 100
const MAX_REASONS = 1000
const END_BYTES = 8_388_608

const count = z.number().int().nonnegative()
const announceSchema = z.strictObject({
  files: z.array(z.strictObject({ name: z.string().max(4096), bytes: count })).max(MAX_FILES),
  file_count: count,
})
const leftOut = z.strictObject({ kind: z.string().max(1000), reason: z.string().max(1000), count })
const coverageSchema = z.strictObject({
  files: z.strictObject({ seen: count, read: count }),
  items: z.strictObject({ seen: count, imported: count }),
  kinds: z.array(z.record(z.string(), z.unknown())),
  left_out: z.array(leftOut).max(MAX_REASONS),
  unexplained: count,
})
const zoneSchema = z.strictObject({ time_zone: z.string().max(100) })
const endSchema = z.strictObject({
  state: z.enum(['finished', 'stopped', 'failed']),
  results: z.array(
    z.strictObject({
      source: z.string(),
      connection_id: z.string(),
      name: z.string().max(1000).optional(),
      file_count: count,
      coverage: coverageSchema.optional(),
      streams: z.array(z.strictObject({ name: z.string(), records_read: count, refused: count })),
    }),
  ),
  unread_files: count.optional(),
  problem_count: count,
  problems: z.array(z.record(z.string(), z.unknown())),
  failure: z.strictObject({ message: z.string(), next_step: z.string() }).optional(),
})

/** POST /v1/owner/imports: announces an import that a client runs. Batches with its id as run_id belong to it. */
export function announceImport(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { files, file_count: fileCount } = await parsedBody(c, announceSchema)
    const id = await context.imports.clientSide.announce(c.get('authority').subjectId, files, fileCount)
    return c.json({ object: 'import', import_id: id }, 201)
  }
}

/** GET /v1/owner/imports/zone */
export function readImportZone(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const zone = await context.imports.zone.read(c.get('authority').subjectId)
    return c.json({ object: 'import_zone', time_zone: zone ?? null })
  }
}

/** PUT /v1/owner/imports/zone */
export function saveImportZone(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { time_zone: zone } = await parsedBody(c, zoneSchema)
    await context.imports.zone.save(c.get('authority').subjectId, zone)
    return c.json({ object: 'import_zone', time_zone: zone })
  }
}

/** POST /v1/owner/imports/{id}/end */
export function endImport(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const body = await parsedBody(c, endSchema, END_BYTES)
    const results = body.results.map(
      ({ source, connection_id: connectionId, name, file_count: fileCount, streams, coverage }) => ({
        source,
        connectionId,
        fileCount,
        name,
        coverage: coverage && {
          files: coverage.files,
          items: coverage.items,
          leftOut: coverage.left_out,
          unexplained: coverage.unexplained,
        },
        streams: streams.map(({ name, records_read: read, refused }) => ({ name, read, refused })),
      }),
    )
    const failure = body.failure && { message: body.failure.message, nextStep: body.failure.next_step }
    const end = {
      state: body.state,
      results,
      unreadFiles: body.unread_files,
      failure,
      problems: body.problems,
      problemCount: body.problem_count,
    }
    await context.imports.clientSide.end(c.get('authority').subjectId, c.req.param('id')!, end)
    return c.body(null, 204)
  }
}

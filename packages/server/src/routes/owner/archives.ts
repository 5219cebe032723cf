import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { ArchiveKind } from '../../upkeep/archives/archive-service.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const schema = z.strictObject({
  kind: z.enum(['backup', 'export']),
  bytes: z.int().min(0),
  created_at: z.iso.datetime(),
})

/** GET /v1/owner/archives */
export function readArchives(context: Context): Handler<HttpEnvironment> {
  return async (c) => c.json(await archives(context, c.get('authority').subjectId))
}

/** POST /v1/owner/archives: the command line reports that it has written a backup or an export. */
export function noteArchive(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const { kind, bytes, created_at: at } = await parsedBody(c, schema)
    const occasion = { subjectId, surface: 'cli', requestId: c.get('requestId') } as const
    await context.archives.note(kind, { at: Date.parse(at), bytes }, occasion)
    return c.json(await archives(context, subjectId), 201)
  }
}

async function archives(context: Context, subjectId: string) {
  const last = async (kind: ArchiveKind) => {
    const made = await context.archives.last(subjectId, kind)
    return made === undefined ? null : { created_at: new Date(made.at).toISOString(), bytes: made.bytes }
  }
  return { object: 'archives', backup: await last('backup'), export: await last('export') }
}

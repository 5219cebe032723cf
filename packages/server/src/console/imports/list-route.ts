import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { type FormPart, formParts, partText } from '../../http/request/multipart.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { Upload } from '../../imports/upload-folder.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { FORM_TOKEN, requireOwnPage } from '../../routes/request/form.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { sendPage } from '../frame/send.ts'
import { importsPage } from './list-page.ts'

const LISTED = 20
const TOKEN_BYTES = 1000
/** How much of a refused upload is still read. Browsers show the answer only after that. */
const DRAINED = { bytes: 200_000_000, milliseconds: 10_000 }

/** GET /import */
export function showImports(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { subjectId } = c.get('authority')
    const before = query.text('before')
    if (before !== undefined) await context.imports.require(subjectId, before)
    const found = await context.imports.list(subjectId, { limit: LISTED + 1, before })
    const imports = found.slice(0, LISTED)
    const { uploads } = context.imports
    return sendPage(
      c,
      importsPage({
        pageSession: c.get('pageSession'),
        imports,
        older: found.length > LISTED ? `/import?before=${imports.at(-1)!.importId}` : undefined,
        limits: { ...uploads.limits, room: uploads.room() },
        done: query.text('done'),
      }),
    )
  }
}

/** POST /import: writes files to disk as they arrive. */
export function uploadFiles(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    requireOwnPage(c)
    const source = ((c.req.raw.body ?? []) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]?.()
    try {
      const { uploads } = context.imports
      const size = Number(c.req.header('content-length') ?? 0)
      uploads.requireSize(size)
      uploads.requireRoom(size)
      const parts = formParts(c.req.header('content-type') ?? '', { [Symbol.asyncIterator]: () => source })
      const id = await context.imports.upload(c.get('authority').subjectId, filesOf(parts, c.get('pageSession')))
      return c.redirect(`/import/${id}`, 303)
    } catch (error) {
      await drain(source)
      throw error
    }
  }
}

/** The token comes first, so that nothing is stored from a form that was not made for this browser. */
async function* filesOf(parts: AsyncIterable<FormPart>, pageSession: PageSession): AsyncIterable<Upload> {
  let isOurs = false
  for await (const part of parts) {
    if (part.name === FORM_TOKEN && !isOurs)
      isOurs = pageSession.acceptsFormToken(await partText(part, TOKEN_BYTES), 'upload')
    if (!isOurs) throw new PdppError('form_expired', 'This form is out of date, or was not made for you.')
    // If no file was chosen, a form sends a file without a name.
    if (part.name === 'files' && part.fileName) yield { name: part.fileName, body: part.body }
  }
}

async function drain(source: AsyncIterator<Uint8Array> | undefined): Promise<void> {
  const until = Date.now() + DRAINED.milliseconds
  try {
    for (let read = 0; read < DRAINED.bytes && Date.now() < until; ) {
      const next = await source?.next()
      if (!next || next.done) return
      read += next.value.length
    }
  } catch {
    // The client disconnected.
  }
}

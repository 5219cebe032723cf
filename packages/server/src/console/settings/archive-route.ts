import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { authoritiesOf } from '../../grants/authority.ts'
import { abortSignalOf } from '../../http/guards/request-signal.ts'
import { abortOnError } from '../../http/response/abort-on-error.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import type { ArchiveKind } from '../../upkeep/archives/archive-service.ts'
import { passphraseProblem } from '../../upkeep/archives/passphrase.ts'
import { sendPage } from '../frame/send.ts'
import { archivePage } from './archive-page.ts'

const ENDINGS: Record<ArchiveKind, string> = { backup: 'backup', export: 'tar.gz' }

/** GET /settings/backup, GET /settings/export */
export function showArchive(context: Context, kind: ArchiveKind): Handler<HttpEnvironment> {
  return (c) => answer(context, c, kind)
}

/**
 * POST /settings/backup, POST /settings/export: a session alone is not enough, because the file contains everything.
 */
export function makeArchive(context: Context, kind: ArchiveKind): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await readVerifiedForm(c, kind)
    const { subjectId } = c.get('authority')
    const passphrase = kind === 'backup' ? (form.get('passphrase') ?? '') : undefined
    const fault = passphrase === undefined ? undefined : passphraseProblem(passphrase, form.get('again') ?? '')
    if (fault !== undefined) return answer(context, c, kind, fault)
    const { session } = c.get('pageSession')
    const proof = { password: form.get('password') ?? '', address: c.get('requestOrigin').address, session: session! }
    if (!(await context.signIn.isProved(subjectId, proof)))
      return answer(context, c, kind, 'That is not your password.')
    const occasion = { subjectId, surface: 'console', requestId: c.get('requestId') } as const
    const bytes = await context.archives.stream(kind, occasion, abortSignalOf(c), passphrase)
    return c.body(abortOnError(c, bytes), 200, {
      'Content-Type': kind === 'backup' ? 'application/octet-stream' : 'application/gzip',
      'Content-Disposition': `attachment; filename="${fileName(kind)}"`,
    })
  }
}

const fileName = (kind: ArchiveKind): string => `pdpp-${new Date().toISOString().slice(0, 10)}.${ENDINGS[kind]}`

async function answer(context: Context, c: Http, kind: ArchiveKind, failure?: string): Promise<Response> {
  const authority = c.get('authority')
  const { subjectId } = authority
  const pageSession = c.get('pageSession')
  const [last, hasPassword, sources] = await Promise.all([
    context.archives.last(subjectId, kind),
    context.signIn.hasPassword(subjectId),
    context.schema.read(authoritiesOf(authority), {}),
  ])
  const page = archivePage({
    pageSession,
    kind,
    command: context.archives.command?.typed,
    backups: context.archives.backups,
    isRunning: context.archives.isRunning,
    fileName: fileName(kind),
    last,
    hasPassword,
    isRecent: context.signIn.isRecent(pageSession.session!),
    sources,
    failure,
  })
  return sendPage(c, page, failure === undefined ? {} : { status: 400 })
}

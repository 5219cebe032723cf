import { existingConnection, type ReportedProblem } from '@pdpp/importers'
import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { stream as streamed } from 'hono/streaming'
import type { Context } from '../../context.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { type Corrections, overridesFrom } from '../../imports/corrections.ts'
import type { ImportState } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { importPage } from './page.ts'
import type { PlanChoices } from './plan.ts'
import { importProgress } from './progress.ts'

const PROBLEMS = 50
const DOWNLOADED_AT_ONCE = 500
const CORRECTION_BYTES = 256 * 1024

/** GET /import/{id} */
export function showImport(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { subjectId } = c.get('authority')
    const stored = await context.imports.require(subjectId, c.req.param('id')!)
    const { importId, state } = stored
    const after = Math.max(0, Math.floor(Number(query.text('after') ?? 0)) || 0)
    const found = await context.imports.problems(subjectId, importId, { after, limit: PROBLEMS + 1 })
    const shown = found.slice(0, PROBLEMS).map(({ at, body }) => ({ at, problem: body as ReportedProblem }))
    const plan = stored.body.holdsFiles ? context.imports.plan(importId) : undefined
    return sendPage(
      c,
      importPage({
        pageSession: c.get('pageSession'),
        stored,
        plan,
        choices: await choicesFor(context, subjectId, state === 'recognised' ? (plan ?? []) : []),
        hasDemo: state === 'recognised' && (await context.demo.isLoaded()),
        progress: context.imports.progress(importId),
        problems: {
          shown,
          first: after,
          next: found.length > PROBLEMS ? query.link({ after: String(shown.at(-1)!.at), done: undefined }) : undefined,
        },
        done: query.text('done'),
      }),
    )
  }
}

/** GET /import/{id}/progress: the current progress of a running import. */
export function readProgress(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const stored = await context.imports.require(c.get('authority').subjectId, c.req.param('id')!)
    const { state, importId } = stored
    const isRun = state === 'running' || state === 'waiting'
    const html = isRun ? String(await importProgress(stored, context.imports.progress(importId))) : undefined
    return c.json({ state, ...(html === undefined ? {} : { html }) })
  }
}

/** GET /import/{id}/problems: the stored problems, one JSON object per line. */
export function downloadProblems(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const { importId } = await context.imports.require(subjectId, c.req.param('id')!)
    c.header('Content-Type', 'application/x-ndjson; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="problems.jsonl"')
    return streamed(c, async (out) => {
      for (let after = 0, more = true; more && !out.aborted; ) {
        const page = await context.imports.problems(subjectId, importId, { after, limit: DOWNLOADED_AT_ONCE })
        for (const { body } of page) await out.writeln(JSON.stringify(body))
        after = page.at(-1)?.at ?? after
        more = page.length === DOWNLOADED_AT_ONCE
      }
    })
  }
}

/** POST /import/{id}/plan: inspects again, with the corrections of one source. */
export function correctPlan(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const id = c.req.param('id')!
    const sent = await readVerifiedForm(c, `plan:${id}`, CORRECTION_BYTES)
    const { subjectId } = c.get('authority')
    const { body } = await context.imports.require(subjectId, id)
    const at = Number(sent.get('source_number'))
    const source = context.imports.plan(id)?.[at]
    if (!source) throw new PdppError('import_state', 'There is nothing to correct.')
    const inputs = source.plans.flatMap((plan) => plan.inputs)
    const before = body.overrides[inputs[0]!] ?? {}
    const overrides = sent.get('act') === 'reset' ? {} : overridesFrom(corrections(sent), source, before)
    if (overrides.zone !== undefined) await context.imports.zone.save(subjectId, overrides.zone)
    await context.imports.correct(subjectId, id, inputs, overrides)
    return c.redirect(`/import/${id}#source-${at}`, 303)
  }
}

type Act = 'start' | 'stop' | 'undo' | 'discard'

/** States in which the action is already done. A form that is sent twice then changes nothing. */
const DONE: Partial<Record<Act, readonly ImportState[]>> = {
  start: ['waiting', 'running', 'finished'],
  undo: ['undoing', 'undone'],
}

/** POST /import/{id}/start, stop, undo, discard */
export function actOnImport(context: Context, act: Act): Handler<HttpEnvironment> {
  return async (c) => {
    const id = c.req.param('id')!
    const sent = await readVerifiedForm(c, `${act}:${id}`)
    const { subjectId } = c.get('authority')
    const { state } = await context.imports.require(subjectId, id)
    // Removes the demo before the first record is written, so that the two are never mixed.
    if (act === 'start' && sent.get('demo') === 'remove' && state === 'recognised') await context.demo.remove()
    const parts = sent.has('parts') ? sent.getAll('part').map(Number).filter(Number.isInteger) : undefined
    const outcome = DONE[act]?.includes(state) ? undefined : await context.imports[act](subjectId, id, parts)
    if (outcome === 'removed') return c.redirect('/import?done=discarded', 303)
    return c.redirect(outcome === 'dropped' ? `/import/${id}?done=files_removed` : `/import/${id}`, 303)
  }
}

function corrections(sent: URLSearchParams): Corrections {
  const text = (name: string) => (sent.get(name) ?? '').trim()
  const numbers = (name: string) => sent.getAll(name).map(Number).filter(Number.isInteger)
  const types = [...sent].flatMap(([name, value]): [number, string][] => {
    const at = /^type-(\d{1,4})$/.exec(name)?.[1]
    return at === undefined || value === '' ? [] : [[Number(at), value]]
  })
  return {
    source: text('source'),
    connection: text('new_connection') || text('connection'),
    stream: sent.get('stream')?.trim(),
    zone: text('zone'),
    headless: sent.get('headless') === 'yes',
    tables: numbers('table'),
    key: numbers('key'),
    time: numbers('time')[0],
    title: numbers('title')[0],
    text: numbers('text'),
    types: Object.fromEntries(types),
  }
}

async function choicesFor(context: Context, subjectId: string, plan: readonly SourcePlan[]): Promise<PlanChoices> {
  if (plan.length === 0) return { connections: [], countOf: () => 0 }
  const keys = new Set(plan.map(({ source }) => source))
  const sources = await context.schema.read([{ kind: 'owner', subjectId }], {})
  const known = sources.filter(({ declaration }) => keys.has(declaration.connector_key))
  const connections = known.flatMap(({ named }) => named)
  return {
    connections,
    countOf: ({ source, plans }, name) => {
      const streams = known.find(({ declaration }) => declaration.connector_key === source)?.streams ?? []
      const feeds = streams.find(({ declaration }) => declaration.name === name)?.statistics ?? []
      // A new chat has no records yet, although other chats of the same service may have some.
      const planned = plans[0]?.connection
      const own = planned && existingConnection(connections, planned)
      return feeds
        .filter(({ connectionId }) => planned === undefined || connectionId === own)
        .reduce((sum, one) => sum + one.count, 0)
    },
  }
}

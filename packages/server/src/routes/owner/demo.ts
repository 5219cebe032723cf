import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'

/** GET /v1/owner/demo */
export function readDemo(context: Context): Handler<HttpEnvironment> {
  return async (c) => c.json({ object: 'demo', is_loaded: await context.demo.isLoaded() })
}

/** DELETE /v1/owner/demo: removes the demo's data. Other records stay. */
export function deleteDemo(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const removed = (await context.demo.isLoaded()) ? await context.demo.remove() : 0
    return c.json({ object: 'demo', is_loaded: false, removed_connections: removed })
  }
}

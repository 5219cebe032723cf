import type { DeclarationWarning } from '@pdpp/protocol'
import { html } from 'hono/html'
import { count } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** A source whose declaration was read otherwise than it stands, and how. */
export interface SmoothedSource {
  readonly name: string
  readonly warnings: readonly DeclarationWarning[]
}

const SHOWN = 10

/** Nothing where every declaration was taken as it is. */
export function declarationsPanel(sources: readonly SmoothedSource[]): Markup | '' {
  if (sources.length === 0) return ''
  return html`<section class="panel" id="declarations"><h2>Declarations</h2>
<p>These sources were written for another implementation. Some of what they declare was read otherwise than it stands there.</p>
${sources.map(
  ({ name, warnings }) => html`<h3>${untrustedText(name, 60)}</h3>
<ul class="small">${warnings.slice(0, SHOWN).map(({ path, message }) => html`<li><code>${untrustedText(path, 120)}</code> ${untrustedText(message, 300)}</li>`)}</ul>
${warnings.length > SHOWN ? html`<p class="small quiet">${count(warnings.length - SHOWN)} more: <code>pdpp owner source</code> lists them.</p>` : ''}`,
)}</section>`
}

import type { DeclarationWarning } from '@pdpp/protocol'
import { html } from 'hono/html'
import { count } from '../frame/dates.ts'
import { preferences } from '../frame/preferences.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** A source whose declaration was adapted, with a warning for each change. */
export interface SmoothedSource {
  readonly name: string
  readonly warnings: readonly DeclarationWarning[]
}

const MAX_WARNINGS = 10

/** Empty if no declaration was adapted. */
export function declarationsPanel(sources: readonly SmoothedSource[]): Markup | '' {
  if (sources.length === 0) return ''
  return html`<section class="panel" id="declarations"><h2>Declarations</h2>
<p>These sources were written for another implementation. Some of their declarations were adapted:</p>
${sources.map(
  ({ name, warnings }) => html`<h3>${untrustedText(name, 60)}</h3>
<ul class="small">${warnings.slice(0, MAX_WARNINGS).map(({ path, message }) => html`<li><code>${untrustedText(path, 120)}</code> ${untrustedText(message, 300)}</li>`)}</ul>
${warnings.length > MAX_WARNINGS ? html`<p class="small quiet">${count(warnings.length - MAX_WARNINGS)} more: <code>${preferences().command} owner source</code> lists them.</p>` : ''}`,
)}</section>`
}

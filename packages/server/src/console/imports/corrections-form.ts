import { FORCED_TYPES, type PlannedField, type PlannedStream } from '@pdpp/importers'
import { html } from 'hono/html'
import type { SourceOverrides, StoredImport } from '../../imports/import.ts'
import type { SourcePlan } from '../../imports/plan-file.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { form } from '../frame/layout.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'

/** Max. fields, tables and connections in the form. Further fields keep their inferred settings. */
const MAX_CORRECTED = 200
const MAX_TABLES = 200
const MAX_CONNECTIONS = 200

/** The form for corrections. `pdpp import` has flags for the same. */
export function correctForm(
  pageSession: PageSession,
  { importId, body: { overrides: all } }: StoredImport,
  { source, plans }: SourcePlan,
  at: number,
  streams: readonly PlannedStream[],
  connections: readonly { readonly connectionId: string; readonly connectorKey: string }[],
): Markup {
  const overrides = all[plans[0]!.inputs[0]!] ?? {}
  const own = connections.filter(({ connectorKey }) => connectorKey === source).slice(0, MAX_CONNECTIONS)
  const isFixed = plans[0]!.importer !== 'tabular'
  const hasZone = !isFixed || plans.some(({ zone }) => zone !== undefined)
  const tables = [...new Set(plans.flatMap(({ streamByTable }) => Object.keys(streamByTable)))]
  const id = (name: string) => `s${at}-${name}`
  const body = html`<input type="hidden" name="source_number" value="${at}">
<div class="corrections">
<label for="${id('source')}">Source<input type="text" id="${id('source')}" name="source" value="${source}" maxlength="100" autocomplete="off" spellcheck="false"></label>
${connectionFields(id, own, overrides.connection, source)}
${isFixed || tables.length > 1 ? '' : html`<label for="${id('stream')}">Part<input type="text" id="${id('stream')}" name="stream" value="${streams[0]!.name}" maxlength="100" autocomplete="off" spellcheck="false"></label>`}
${!hasZone ? '' : html`<label for="${id('zone')}">Time zone of times without one<input type="text" id="${id('zone')}" name="zone" value="${overrides.zone ?? ''}" placeholder="UTC" maxlength="60" autocomplete="off" spellcheck="false"></label>`}
</div>
${plans[0]!.format === 'csv' ? html`<label class="tick"><input type="checkbox" name="headless" value="yes"${overrides.header === false ? html` checked` : ''}><span>The first row is data, not names</span></label>` : ''}
${isFixed ? '' : tables.length > 1 ? tableChoice(tables) : fieldTable(id, streams[0]!, overrides)}
<div class="answers"><button class="button plain" name="act" value="correct">Check again</button>${Object.keys(overrides).length === 0 ? '' : html`<button class="button plain" name="act" value="reset">Undo corrections</button>`}</div>`
  return html`<details class="more correct"><summary>Correct this</summary>${form(pageSession, { action: `/import/${importId}/plan`, purpose: `plan:${importId}`, stacked: true }, body)}</details>`
}

function connectionFields(
  id: (name: string) => string,
  own: readonly { readonly connectionId: string }[],
  wished: string | undefined,
  source: string,
): Markup {
  const isKnown = own.some(({ connectionId }) => connectionId === wished)
  const choice =
    own.length === 0
      ? ''
      : html`<label for="${id('connection')}">Account<select id="${id('connection')}" name="connection"><option value="">${own.length === 1 ? plainText(own[0]!.connectionId) : 'choose one'}</option>${own
          .filter(() => own.length > 1)
          .map(
            ({ connectionId }) =>
              html`<option value="${connectionId}"${connectionId === wished ? html` selected` : ''}>${plainText(connectionId)}</option>`,
          )}</select></label>`
  return html`${choice}<label for="${id('new')}">${own.length === 0 ? 'Account' : 'Or a new account'}<input type="text" id="${id('new')}" name="new_connection" value="${isKnown ? '' : (wished ?? '')}" placeholder="${own.length === 0 ? source : ''}" maxlength="100" autocomplete="off" spellcheck="false"></label>`
}

function tableChoice(tables: readonly string[]): Markup {
  return html`<fieldset class="fieldset"><legend>Tables</legend><div class="ticks">${tables.slice(0, MAX_TABLES).map((name, at) => html`<label class="tick"><input type="checkbox" name="table" value="${at}" checked><span>${untrustedText(name, 80)}</span></label>`)}</div>
<p class="small quiet">Tick only one to correct its key, time and fields.</p></fieldset>`
}

function fieldTable(id: (name: string) => string, stream: PlannedStream, overrides: SourceOverrides): Markup {
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="Fields to correct"><table class="table small choices" id="${id('fields')}"><thead><tr><th scope="col">Field</th><th scope="col">Read as</th><th scope="col">Key</th><th scope="col">Time</th><th scope="col">Title</th><th scope="col">Searched</th></tr></thead>
<tbody>${stream.fields.slice(0, MAX_CORRECTED).map((field, at) => fieldRow(field, at, overrides.types?.[field.name]))}</tbody></table></div>`
}

function fieldRow(field: PlannedField, at: number, type: string | undefined): Markup {
  const { name, uses } = field
  const label = (what: string) => `${what}: ${plainText(name)}`
  const tick = (kind: 'checkbox' | 'radio', group: string, use: string, what: string) =>
    html`<td><input type="${kind}" name="${group}" value="${at}" aria-label="${label(what)}"${uses.includes(use) ? html` checked` : ''}></td>`
  return html`<tr><th scope="row">${untrustedText(name, 60)}</th>
<td><select name="type-${at}" aria-label="${label('Read as')}"><option value="">${plainText(field.type)}</option>${FORCED_TYPES.filter((one) => one !== 'string').map((one) => html`<option value="${one}"${one === type ? html` selected` : ''}>${one}</option>`)}</select></td>
${tick('checkbox', 'key', 'key', 'Key')}${tick('radio', 'time', 'time', 'Time')}${tick('radio', 'title', 'title', 'Title')}${tick('checkbox', 'text', 'searched', 'Searched')}</tr>`
}

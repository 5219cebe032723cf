import { html } from 'hono/html'
import type { GroupTick } from '../../authorization/consent/groups.ts'
import { icon } from '../frame/icons.ts'
import { type Kind, kindTile } from '../frame/kind.ts'
import type { Markup } from '../frame/untrusted-text.ts'

/** The details of a line, which open below it. */
interface Fold {
  readonly id: string
  /** Names the content of the fold for screen readers. */
  readonly label: Markup
  readonly isOpen: boolean
  readonly body: Markup
  /** The value that loads the missing content of the body. The script sends it when the fold is opened. */
  readonly load?: string | undefined
}

export interface SourceLineOptions {
  readonly tick: { readonly id: string; readonly name: string; readonly value: string; readonly state: GroupTick }
  readonly kind: Kind
  readonly title: Markup
  readonly isSensitive: boolean
  readonly hint: Markup | string
  readonly amount: string
  readonly problem?: Markup | undefined
  readonly fold?: Fold | undefined
  /** Hidden form fields. */
  readonly hidden: Markup
}

/** One line with a tick. The whole line is the label of the tick; the fold's button is on top of it. */
export function sourceLine(options: SourceLineOptions): Markup {
  const { tick, kind, title, isSensitive, hint, amount, problem, fold, hidden } = options
  const { id, name, value, state } = tick
  return html`<li class="line${state === 'none' ? '' : ' on'}">${hidden}
<div class="head-line"><input type="checkbox" id="${id}" name="${name}" value="${value}"${state === 'all' ? html` checked` : ''}${state === 'some' ? html` class="mixed"` : ''}>
${kindTile(kind)}<label for="${id}"><span class="cut"><b>${title}</b>${isSensitive ? html` <span class="badge warn">${icon('lock')}Sensitive</span>` : ''}</span>${hint === '' ? '' : html`<small class="cut">${hint}</small>`}</label>
<span class="amount">${amount}</span></div>
${problem === undefined ? '' : html`<p class="note warn" role="alert">${problem}</p>`}
${fold ? foldOf(fold) : ''}</li>`
}

function foldOf({ id, label, isOpen, body, load }: Fold): Markup {
  return html`<details class="inside" id="${id}"${isOpen ? html` open` : ''}${load === undefined ? '' : html` data-load="${load}"`}><summary><span class="hidden-label">${label}</span></summary>
<div class="stack tight">${body}</div></details>`
}

import { html } from 'hono/html'
import type { Markup } from '../frame/untrusted-text.ts'

export interface AnswerBar {
  /** Says in one sentence what would be shared. */
  readonly sentence: Markup
  /** Warnings and confirmations above the buttons. */
  readonly notes?: Markup | undefined
  /**
   * False while nothing is chosen. The script then disables Allow; without the script, the server explains the refusal.
   */
  readonly canAllow: boolean
  /** True if the owner can preview a choice before allowing it. */
  readonly hasPreview: boolean
}

/** The sentence and two buttons, always visible. */
export function answerBar({ sentence, notes, canAllow, hasPreview }: AnswerBar): Markup {
  return html`<section class="answer" aria-label="Your answer">${notes ?? ''}
<p class="say" id="sum">${sentence}</p>
<div class="acts">${hasPreview ? html`<button class="button plain big without-script" id="update" name="decision" value="update">Preview</button>` : ''}
<button class="button plain big" id="deny" name="decision" value="deny" formnovalidate>Deny</button>
<button class="button big" id="allow" name="decision" value="approve"${canAllow ? '' : html` data-empty`}>Allow</button></div>
</section>`
}

/** A confirmation that is never ticked in advance. */
export function confirmation(name: string, text: string): Markup {
  return html`<label class="tick note warn"><input type="checkbox" id="${name}" name="${name}" value="yes"><span>${text}</span></label>`
}

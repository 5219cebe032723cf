import { html } from 'hono/html'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { accessWords, agentName, type SourceNames } from '../access/access-text.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

export interface ConnectedPage {
  readonly pageSession: PageSession
  readonly access: AgentAccess
  readonly names: SourceNames
  readonly questions: readonly string[]
}

/** The page right after an agent has connected: what it may read, and questions to try. */
export function connectedPage({ pageSession, access, names, questions }: ConnectedPage): Page {
  const name = agentName(access)
  const body = html`<div class="hero">${agentTile(name, 'big')}<h1>${untrustedText(name, 60)} is connected.</h1>
<p class="say">${accessWords(access, names)}</p></div>
${
  questions.length === 0
    ? ''
    : html`<section class="stack tight middle" aria-labelledby="try"><h2 id="try">Try one of these, made from your own data:</h2>
${questions.map((question, index) => tryIt(question, index))}</section>`
}
<p class="quiet middle">Everything it reads is in the <a href="/activity?client=${encodeURIComponent(access.clientId)}">activity log</a>. <a href="${accessPath(access)}">Pause or revoke it</a> at any time.</p>`
  return { title: 'Connected', body, pageSession, here: '/agents' }
}

function tryIt(question: string, index: number): Markup {
  return html`<div class="ask-it"><p id="question-${index}">${untrustedText(question, 300)}</p><button type="button" class="button plain small" data-copy="question-${index}">${icon('copy')}Copy<span class="hidden-label"> question ${index + 1}</span></button></div>`
}

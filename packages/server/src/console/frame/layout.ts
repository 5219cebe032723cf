import { html } from 'hono/html'
import { FORM_TOKEN } from '../../routes/request/form.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { STYLESHEET_PATH } from './stylesheet.ts'
import type { Markup } from './untrusted-text.ts'

export interface Page {
  readonly title: string
  readonly body: Markup
  /** True for pages that are little more than a form. */
  readonly narrow?: boolean
  /** Absent on error pages, which anybody may see. */
  readonly pageSession?: PageSession | undefined
  /** The path of the page, to mark it in the navigation. */
  readonly here?: string
  /** Path of an optional script. The page works without it. */
  readonly script?: string | undefined
}

/** The frame of every page. All pages work without scripts, and most have none. */
export function layout({ title, body, narrow, pageSession, here, script }: Page): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} · PDPP</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STYLESHEET_PATH}">
${script === undefined ? '' : html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="top-inner">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">PDPP</a>
${pageSession?.session ? navigation(pageSession, here) : ''}
</div></header>
<main id="main" class="${narrow ? 'narrow' : ''}">${body}</main>
</body>
</html>
`
}

const PLACES: readonly (readonly [string, string])[] = [
  ['/', 'Home'],
  ['/explore', 'Explore'],
  ['/import', 'Import'],
  ['/access', 'Access'],
  ['/receipts', 'Receipts'],
  ['/connect', 'Connect'],
  ['/settings', 'Settings'],
]

function navigation(pageSession: PageSession, here: string | undefined): Markup {
  const link = (path: string, name: string) =>
    here === path ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`
  return html`<nav aria-label="Main">
${PLACES.map(([path, name]) => link(path, name))}
${form(pageSession, { action: '/owner/sign-out', purpose: 'sign-out' }, html`<button class="link-button">Sign out</button>`)}
</nav>`
}

/** Every form must be made with this, because it adds the form token. */
export function form(
  pageSession: PageSession,
  { action, purpose, stacked = false, id }: { action: string; purpose: string; stacked?: boolean; id?: string },
  body: Markup,
): Markup {
  return html`<form method="post" action="${action}" class="${stacked ? 'stack' : ''}"${id === undefined ? '' : html` id="${id}"`}>
<input type="hidden" name="${FORM_TOKEN}" value="${pageSession.formToken(purpose)}">
${body}
</form>`
}

/** An error in a form. Screen readers announce it. */
export function problem(message: string, nextStep?: string): Markup {
  return html`<div class="note warn" role="alert"><p>${message}</p>${nextStep ? html`<p class="small">${nextStep}</p>` : ''}</div>`
}

import { html } from 'hono/html'
import { FORM_TOKEN } from '../../routes/request/form.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { STYLESHEET_PATH } from '../style/stylesheet.ts'
import { FRAME_SCRIPT_PATH } from './frame-script.ts'
import { type IconName, icon } from './icons.ts'
import { preferences } from './preferences.ts'
import { type Markup, untrustedText } from './untrusted-text.ts'

export interface Page {
  readonly title: string
  readonly body: Markup
  /** True for pages that consist mainly of a form. */
  readonly narrow?: boolean
  /** True for pages with one question and no navigation, so that an accidental click cannot lose it. */
  readonly bare?: boolean
  /** Absent on error pages, which anybody may see. */
  readonly pageSession?: PageSession | undefined
  /** The place that the page belongs to. The navigation marks it. */
  readonly here?: PlacePath
  /** Number of things that need the owner, shown next to Home. */
  readonly needsOwner?: number
  /** Path of an optional script. The page works without it. */
  readonly script?: string | undefined
}

/** The facts that the frame shows around a page. */
export interface FrameFacts {
  /** The address of this server, which bare pages show. */
  readonly origin: string
  readonly hasDemo: boolean
}

const PLACES = [
  ['/', 'Home', 'home'],
  ['/browse', 'Browse', 'search'],
  ['/sources', 'Sources', 'layers'],
  ['/agents', 'Agents', 'bot'],
  ['/activity', 'Activity', 'activity'],
] as const satisfies readonly (readonly [string, string, IconName])[]
type PlacePath = (typeof PLACES)[number][0] | '/settings'

/** The frame of every page. All pages work without scripts. */
export function layout(page: Page, facts: FrameFacts): Markup {
  const { title, script } = page
  const { theme } = preferences()
  const hasNavigation = page.pageSession?.session !== undefined && page.bare !== true
  return html`<!doctype html>
<html lang="en"${theme === undefined ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="robots" content="noindex, nofollow">
<title>${title} · PDPP</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<script src="${FRAME_SCRIPT_PATH}" defer></script>
${script === undefined ? '' : html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${hasNavigation ? framed(page, facts) : bare(page, facts)}
</body>
</html>
`
}

const BRAND_MARK = html`<img src="/icon.svg" alt="" width="26" height="26"><span>PDPP</span>`
const BRAND = html`<a class="brand" href="/">${BRAND_MARK}</a>`

function bare(page: Page, { origin }: FrameFacts): Markup {
  const { body, narrow, pageSession } = page
  // On a page with a question the product's name is not a link, so that an accidental click loses nothing.
  const brand = page.bare ? html`<span class="brand">${BRAND_MARK}</span>` : BRAND
  return html`<div class="bare"><header class="bare-top">${brand}${pageSession === undefined ? '' : html`<span>${icon('lock')} Your own server at ${untrustedText(new URL(origin).host, 80)}</span>`}</header>
<main id="main" class="${narrow ? 'narrow' : ''}">${body}</main></div>`
}

function framed(page: Page, { hasDemo }: FrameFacts): Markup {
  const { body, narrow, here, needsOwner = 0 } = page
  const pageSession = page.pageSession!
  const place = (path: PlacePath, name: string, picture: IconName) =>
    html`<a class="place" href="${path}"${here === path ? html` aria-current="page"` : ''} title="${name}">${icon(picture)}<span>${name}</span>${path === '/' && needsOwner > 0 ? html`<strong class="count-mark" title="${needsOwner} need you">${needsOwner}</strong>` : ''}</a>`
  const places = PLACES.map(([path, name, picture]) => place(path, name, picture))
  return html`<div class="app">
<nav class="rail" aria-label="Main">${BRAND}
${places}
<div class="rest">${place('/settings', 'Settings', 'settings')}
${signOutForm(pageSession, html`<button class="place" title="Sign out">${icon('leave')}<span>Sign out</span></button>`)}</div>
</nav>
<main id="main" class="${narrow ? 'narrow' : ''}">
${topLine(here)}
${hasDemo ? demoBar(pageSession) : ''}
${body}
</main>
</div>
<nav class="bottom" aria-label="Main, at the bottom">${places}</nav>`
}

/** The search, and the buttons for adding a source and an agent. On a phone, Home has a line of icons instead. */
function topLine(here: PlacePath | undefined): Markup {
  return html`${
    here === '/browse'
      ? ''
      : html`<div class="over"><form class="finder" role="search" method="get" action="/browse">${icon('search')}<input type="search" name="q" aria-label="Search everything you have" placeholder="Search everything you have" maxlength="500" autocomplete="off"><kbd aria-hidden="true">/</kbd></form>
<div class="acts"><a class="button plain" href="/import">${icon('add')}Add data</a><a class="button plain" href="/agents/connect">${icon('plug')}Connect an agent</a></div></div>`
  }
${
  here === '/'
    ? html`<div class="phone-top">${BRAND}<a class="button ghost" href="/browse" aria-label="Search">${icon('search')}</a><a class="button ghost" href="/settings" aria-label="Settings">${icon('settings')}</a></div>`
    : ''
}`
}

/** Shown on every page while demo data is loaded, so that the owner does not take it for their own. */
function demoBar(pageSession: PageSession): Markup {
  return html`<div class="demo-bar">${icon('flask')}<p><strong><span class="looking">You are looking at </span>demo data.</strong> <span class="invented">Mira Tallow is invented.</span></p>
${form(pageSession, { action: '/demo/remove', purpose: 'remove-demo' }, html`<button class="button plain small">Remove demo data</button>`)}</div>`
}

export const signOutForm = (pageSession: PageSession, button: Markup): Markup =>
  form(pageSession, { action: '/owner/sign-out', purpose: 'sign-out' }, button)

/** Create every form with this function, because it adds the form token. */
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

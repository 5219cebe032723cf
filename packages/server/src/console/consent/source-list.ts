import { html } from 'hono/html'
import { LIST_FORM_FIELDS, type Listing, PAGE_SOURCES } from '../../authorization/consent/listing.ts'
import { MAX_SOURCES, type OfferedSource } from '../../authorization/consent/offer.ts'
import { count } from '../frame/dates.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import type { ConsentView } from './page.ts'
import { sourceSection } from './source.ts'

/** The sources that can be shared. If there are many, one page of them, with a search box. */
export function sourceList(view: ConsentView, action: string): Markup {
  const { choice, review, preview, urls, listing } = view
  const section = (source: OfferedSource) => {
    const problem = review.problems.find(({ key }) => key === source.key)?.message
    const chosen = choice.sources.get(source.key)!
    return sourceSection({ action, source, choice: chosen, preview, problem, urls, find: listing.find })
  }
  if (listing.total <= PAGE_SOURCES || view.request.requested)
    return html`<div class="sources">${listing.shown.map(section)}</div>`
  return html`${finder(listing, action)}
${listing.elsewhere.length === 0 ? '' : html`<h3>Chosen already</h3><div class="sources">${listing.elsewhere.map(section)}</div><h3>The others</h3>`}
<div class="sources">${listing.shown.map(section)}</div>
${turning(listing, action)}`
}

function finder(listing: Listing, action: string): Markup {
  const { find, page, found, total } = listing
  const first = (page - 1) * PAGE_SOURCES + 1
  const range = `${count(first)} to ${count(first + listing.shown.length - 1)}`
  const says =
    found === 0
      ? `None of your ${count(total)} sources or their accounts has this name.`
      : find === ''
        ? `You have ${count(total)} sources; these are ${range}.`
        : `${count(found)} of your ${count(total)} sources ${found === 1 ? 'is' : 'are'} found${found > PAGE_SOURCES ? `; these are ${range}` : ''}.`
  return html`<div class="find" id="find-source"><label>Find a source or an account <input type="search" id="find" name="${LIST_FORM_FIELDS.find}" value="${find}" maxlength="100"></label>
<button class="button plain" name="decision" value="update" formaction="${action}#find-source">Find</button></div>
<input type="hidden" name="${LIST_FORM_FIELDS.found}" value="${find}"><input type="hidden" name="${LIST_FORM_FIELDS.at}" value="${page}">
<p class="small quiet" id="listed">${says} What you choose stays chosen while you look for more.${total >= MAX_SOURCES ? ` Only the first ${count(MAX_SOURCES)} are offered here. An agent can ask for any other by name.` : ''}</p>`
}

function turning({ page, pages }: Listing, action: string): Markup {
  if (pages === 1) return html``
  const button = (to: number, text: string) =>
    html`<button class="button plain" name="${LIST_FORM_FIELDS.page}" value="${to}" formaction="${action}#find-source">${text}</button>`
  return html`<div class="answers" role="group" aria-label="Pages of sources">
${page > 1 ? button(page - 1, 'Back') : ''}${page < pages ? button(page + 1, 'More sources') : ''}
<span class="small quiet">Page ${count(page)} of ${count(pages)}</span></div>`
}

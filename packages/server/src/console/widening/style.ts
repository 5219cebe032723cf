/** Styles of the page that widens an access, and of the wishes on other pages. */
export const WIDENING_STYLE = `
.inside > .stack > .fields-of { margin-left: 0; }
.inside .fields { display: block; columns: 13rem; }
.inside .fields .tick { break-inside: avoid; }
.wish-acts { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; margin-inline-start: auto; }
.wishes-more { border-top: 1px solid var(--line); }
.wishes-more > summary { cursor: pointer; }
.token-line { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
.token-line .button { display: none; }
.with-script .token-line .button { display: inline-flex; }
.token-once { flex: 1 1 16rem; font-family: var(--mono); font-size: var(--t-s); overflow-wrap: anywhere; user-select: all; background: var(--sunken); border-radius: var(--r1); padding: 0.7rem 0.9rem; }
@media (max-width: 48rem) {
  .wish-acts { margin-inline-start: 2.75rem; }
  .wish-acts .button { min-height: 2.25rem; }
}
`

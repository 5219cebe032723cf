/** A house with a door ajar: yours, and open only as far as you say. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="PDPP">
  <rect width="64" height="64" rx="15" fill="#1f6357"/>
  <path d="M12 31.5 30.2 14.9a2.7 2.7 0 0 1 3.6 0L52 31.5" fill="none" stroke="#fff" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>
  <path d="M17.5 28v18.5a3.5 3.5 0 0 0 3.5 3.5h22a3.5 3.5 0 0 0 3.5-3.5V28" fill="none" stroke="#fff" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>
  <path d="M27 50V36.5a2 2 0 0 1 2-2h9" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>
  <path d="m27.5 34.8 9.2 3.6a2 2 0 0 1 1.3 1.9V52.6L27 49.6z" fill="#8fd9c8"/>
</svg>
`

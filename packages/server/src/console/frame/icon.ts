/** A house with its door ajar. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="PDPP">
  <rect width="64" height="64" rx="15" fill="#1f6357"/>
  <path d="M30 11.8a3 3 0 0 1 4 0l18.4 16.7c1.9 1.7.7 4.8-1.8 4.8H49V49a4 4 0 0 1-4 4H19a4 4 0 0 1-4-4V33.3h-1.6c-2.5 0-3.7-3.1-1.8-4.8z" fill="#fff"/>
  <path d="M25 53V37.5a2.5 2.5 0 0 1 2.5-2.5h9a2.5 2.5 0 0 1 2.5 2.5V53z" fill="#1f6357"/>
  <path d="M39 35.6 31.8 39a2 2 0 0 0-1.2 1.8v15.4c0 1.1 1.1 1.8 2.1 1.4L39 54.6z" fill="#8fd9c8"/>
</svg>
`

import { hash } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from './untrusted-text.ts'

/** The shapes of each icon, drawn with a stroke of 2 on a field of 24 by 24. */
const SHAPES = {
  home: '<path d="M3.5 11 12 4l8.5 7"/><path d="M5.5 9.5V20h13V9.5"/><path d="M10 20v-5.5h4V20"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="m20.5 20.5-4.5-4.5"/>',
  layers: '<path d="m12 3.5 9 4.5-9 4.5L3 8z"/><path d="m3 12 9 4.5 9-4.5"/><path d="m3 16 9 4.5 9-4.5"/>',
  bot: '<rect x="4" y="8" width="16" height="11.5" rx="2.5"/><path d="M12 8V4.5"/><circle cx="12" cy="3.5" r="1"/><path d="M9 12.5v2M15 12.5v2M1.8 13v3M22.2 13v3"/>',
  activity: '<path d="M2.5 12H7l3-8 4.5 16 2.5-8h4.5"/>',
  settings:
    '<path d="M3.5 7h8M16.5 7h4M3.5 17h4M12.5 17h8"/><circle cx="14" cy="7" r="2.5"/><circle cx="10" cy="17" r="2.5"/>',
  leave:
    '<path d="M10 4H5.5A1.5 1.5 0 0 0 4 5.5v13A1.5 1.5 0 0 0 5.5 20H10"/><path d="m15.5 16 4.5-4-4.5-4"/><path d="M20 12H9.5"/>',
  add: '<path d="M12 15.5V4"/><path d="m7 8.5 5-4.8 5 4.8"/><path d="M4 15v3.5A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5V15"/>',
  plug: '<path d="M9 2.5V8M15 2.5V8"/><path d="M6 8h12v3.5a6 6 0 0 1-12 0z"/><path d="M12 17.5v4"/>',
  mail: '<rect x="2.5" y="5" width="19" height="14" rx="2"/><path d="m3 7 9 6.5L21 7"/>',
  chat: '<path d="M20.5 11.5c0 4-3.8 7.2-8.5 7.2-1.3 0-2.5-.2-3.6-.7L3.5 19.5l1.4-3.8a6.6 6.6 0 0 1-1.4-4.2c0-4 3.8-7.2 8.5-7.2s8.5 3.2 8.5 7.2z"/>',
  note: '<path d="M5.5 3.5h8.5l5 5v12H5.5z"/><path d="M14 3.5v5h5"/><path d="M8.5 13h7M8.5 16.5h5"/>',
  event: '<rect x="3.5" y="5" width="17" height="15.5" rx="2"/><path d="M3.5 10h17M8 2.5v4M16 2.5v4"/>',
  photo:
    '<rect x="3" y="4" width="18" height="16" rx="2"/><circle cx="8.5" cy="9.5" r="1.7"/><path d="m4 18 5.5-5 3.5 3 3-2.5 4 3.5"/>',
  place:
    '<path d="M12 21.5c4.5-4.5 7-8 7-11.2a7 7 0 1 0-14 0c0 3.2 2.5 6.7 7 11.2z"/><circle cx="12" cy="10" r="2.5"/>',
  buy: '<path d="M5.5 8h13l1 12.5h-15z"/><path d="M8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5"/>',
  ai: '<path d="m11 4 1.9 5.1L18 11l-5.1 1.9L11 18l-1.9-5.1L4 11l5.1-1.9z"/><path d="M18.5 3.5v4M16.5 5.5h4M19 17v3M17.5 18.5h3"/>',
  music: '<path d="M9 18.5V6l11-2.5V16"/><circle cx="6.3" cy="18.5" r="2.7"/><circle cx="17.3" cy="16" r="2.7"/>',
  web: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18"/><path d="M12 3c2.6 2.6 3.9 5.6 3.9 9s-1.3 6.4-3.9 9c-2.6-2.6-3.9-5.6-3.9-9S9.4 5.6 12 3z"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6"/><path d="M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.6c2.4.7 4 2.8 4 5.4"/>',
  file: '<path d="M5.5 3h9l4.5 4.5V21H5.5z"/><path d="M14 3v5h5"/>',
  health:
    '<path d="M12 20S3.5 14.8 3.5 8.9A4.6 4.6 0 0 1 12 6.4a4.6 4.6 0 0 1 8.5 2.5C20.5 14.8 12 20 12 20z"/><path d="M6 12h3l1.5-2.5L13 14l1.2-2H18"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.8"/>',
  bell: '<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15z"/><path d="M10 21h4"/>',
  shield:
    '<path d="m12 2.8 7.5 2.7v6c0 4.7-3.1 8-7.5 9.7-4.4-1.7-7.5-5-7.5-9.7v-6z"/><path d="m8.7 11.8 2.4 2.4 4.3-4.4"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7"/>',
  warning: '<path d="M12 3.5 22 20.5H2z"/><path d="M12 10v4.5M12 17.3v.2"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.7v.2"/>',
  lock: '<rect x="4.5" y="10.5" width="15" height="10" rx="2"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/>',
  pause: '<path d="M8.5 5v14M15.5 5v14"/>',
  copy: '<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 5.5v-.5a1.5 1.5 0 0 0-1.5-1.5H5A1.5 1.5 0 0 0 3.5 5v9A1.5 1.5 0 0 0 5 15.5h.5"/>',
  download: '<path d="M12 4v11.5"/><path d="m7 11 5 4.8L17 11"/><path d="M4 19.5h16"/>',
  flask:
    '<path d="M9.5 3h5M10.5 3v6L4.8 18.6A1.6 1.6 0 0 0 6.2 21h11.6a1.6 1.6 0 0 0 1.4-2.4L13.5 9V3"/><path d="M7.5 15h9"/>',
  terminal: '<rect x="3" y="4" width="18" height="16" rx="2"/><path d="m7 9 3.5 3L7 15M13 15h4"/>',
  trash: '<path d="M4 6.5h16M9 6.5V4h6v2.5M6 6.5 7 20.5h10l1-14"/>',
} as const

export type IconName = keyof typeof SHAPES

/** One file with a symbol for each icon. Pages refer to its symbols, so browsers load it once. */
export const ICON_SPRITE = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(SHAPES)
  .map(([name, shapes]) => `<symbol id="${name}" viewBox="0 0 24 24">${shapes}</symbol>`)
  .join('')}</svg>\n`

const ICON_SPRITE_PATH = `/assets/icons.svg?v=${hash('sha256', ICON_SPRITE, 'base64url').slice(0, 12)}`

/** An icon in the size and colour of the text around it. Hidden from screen readers, because a word is next to it. */
export function icon(name: IconName, size: 'text' | 'big' = 'text'): Markup {
  return html`<svg class="i${size === 'big' ? ' big' : ''}" aria-hidden="true" focusable="false"><use href="${ICON_SPRITE_PATH}#${name}"></use></svg>`
}

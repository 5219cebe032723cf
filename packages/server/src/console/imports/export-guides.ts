import { html } from 'hono/html'
import { type Kind, kindTile } from '../frame/kind.ts'
import type { Markup } from '../frame/untrusted-text.ts'

interface ExportGuide {
  readonly name: string
  readonly kind: Kind
  readonly what: string
  /** How to get the files, in a sentence or two. */
  readonly how: string
}

/** The sources that most people have. docs/importers has all of them, with every detail. */
const GUIDES: readonly ExportGuide[] = [
  {
    ...{ name: 'Google', kind: 'mail', what: 'Mail, photos, calendar, Keep' },
    how: 'At takeout.google.com, choose what you want and download it. Drop the zip as it is.',
  },
  {
    ...{ name: 'WhatsApp', kind: 'chat', what: 'One chat at a time' },
    how: 'In the chat on your phone: the menu or the name at the top, then Export chat. Send the file to this computer and drop it.',
  },
  {
    ...{ name: 'Telegram', kind: 'chat', what: 'All chats, or one' },
    how: 'In Telegram Desktop: Settings, Advanced, Export Telegram data, format Machine-readable JSON. Drop the folder.',
  },
  {
    ...{ name: 'Signal', kind: 'chat', what: 'All chats' },
    how: 'In Signal Desktop: Settings, Chats, Export chat history. Drop the folder or the zip.',
  },
  {
    ...{ name: 'Slack', kind: 'chat', what: 'A workspace' },
    how: 'An admin opens Workspace settings, Import/Export Data, Export. Slack sends a mail when the zip is ready. Drop it as it is.',
  },
  {
    ...{ name: 'iMessage', kind: 'chat', what: 'From a Mac' },
    how: 'Your messages are in the folder Library/Messages of your home folder. Drop that folder, or chat.db alone.',
  },
  {
    ...{ name: 'ChatGPT', kind: 'ai', what: 'Conversations' },
    how: 'In ChatGPT: Settings, Data controls, Export data. Drop the zip that the mail links to.',
  },
  {
    ...{ name: 'Claude', kind: 'ai', what: 'Conversations' },
    how: 'In Claude: Settings, Privacy, Export data. Drop the zip that the mail links to.',
  },
  {
    ...{ name: 'Notes', kind: 'note', what: 'Obsidian, Notion, Markdown' },
    how: 'Drop the folder of your vault or notes. From Notion: Settings, Export all workspace content, then drop the zip.',
  },
  {
    ...{ name: 'Calendar, contacts', kind: 'event', what: '.ics and .vcf files' },
    how: 'Every calendar and address book can export: look for Export in its menu. Drop the files.',
  },
  {
    ...{ name: 'Photos', kind: 'photo', what: 'Folders of pictures' },
    how: 'Copy them from the phone or camera, or choose the folder that you keep them in.',
  },
  {
    ...{ name: 'Tables', kind: 'file', what: 'CSV, JSON, SQLite' },
    how: 'Bank statements, orders, anything with rows. Save a spreadsheet as CSV first.',
  },
]

/** Explains how to get the files from the services. */
export function exportGuides(): Markup {
  return html`<section class="stack tight" aria-labelledby="where"><h2 id="where">Where is your data now?</h2>
<ul class="guides">${GUIDES.map(
    ({ name, kind, what, how }) =>
      html`<li><details class="guide"><summary>${kindTile(kind)}<span><strong>${name}</strong><small>${what}</small></span></summary><p class="small">${how}</p></details></li>`,
  )}</ul>
<p class="small quiet">Other tables, mail and databases work too.</p></section>`
}

import { stem } from '../../reading/input-bytes.ts'

const INBOX = 'INBOX'

/** The mail folder, from the path of the file: `Sent.mbox`, `.Sent/cur/…`, `Sent/1.eml`. */
export function folderOf(name: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  const file = parts.at(-1) ?? ''
  const parent = parts.at(-2)
  if ((parent === 'cur' || parent === 'new') && file !== '') return maildirFolder(parts.at(-3))
  // Apple Mail keeps `Sent.mbox/mbox`.
  if (file === 'mbox' && parent !== undefined) return stem(parent)
  if (/\.(eml|emlx|msg)(\.gz)?$/i.test(file)) return parent
  return stem(file)
}

/** Maildir++ writes `.Sent.2024` for the folder 2024 inside Sent. The Maildir itself is the inbox. */
function maildirFolder(name: string | undefined): string {
  if (name === undefined || !name.startsWith('.'))
    return name === undefined || /^(maildir|mail)$/i.test(name) ? INBOX : name
  return name.slice(1).replaceAll('.', '/')
}

/** Reads the flags in the name of a Maildir file: `…:2,FS`. On Windows another character replaces the colon. */
export function maildirFlags(name: string): { isRead?: boolean; isFlagged?: boolean } {
  if (!/(?:^|\/)(?:cur|new)\/[^/]+$/.test(name)) return {}
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? ''
  return { isRead: flags.includes('S'), isFlagged: flags.includes('F') }
}

import { looksLikeText } from '../../reading/text-encoding.ts'

export const HEAD_BYTES = 16_384
/** Headers that only a mail has (RFC 5322 section 3.6). Lines such as `Subject: x` also occur in other files. */
const MAIL_HEADERS = /^(from|sender|received|return-path|message-id|delivered-to|resent-from)$/
const KNOWN =
  /^(from|sender|received|return-path|message-id|delivered-to|resent-from|to|cc|bcc|reply-to|subject|date|mime-version|content-type|content-transfer-encoding|in-reply-to|references|dkim-signature|x-mailer|list-id)$/
const MIN_KNOWN = 3
const MBOX = /^\s*From .*\d{1,2}:\d{2}.*\r?\n[!-9;-~]+\s*:/
/** The first characters of vCards, calendars, JSON and HTML. */
const OTHER_KIND = /^\s*(BEGIN\s*:|\{|\[|<[?!a-z])/i

export type MailFormat = 'mbox' | 'maildir' | 'emlx' | 'eml'

/** Recognises mail by its headers. A broken file counts as mail only if its extension is used for nothing else. */
export function mailFormat(name: string, bytes: Buffer): MailFormat | undefined {
  const head = bytes.subarray(0, HEAD_BYTES)
  if (head.length === 0 || !looksLikeText(head)) return
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  if (OTHER_KIND.test(text)) return
  if (MBOX.test(text)) return 'mbox'
  const counted = /^\s*\d{1,9}\s*\n/.exec(text)
  if (counted && isMail(text.slice(counted[0].length), MIN_KNOWN)) return 'emlx'
  if (/\.(eml|emlx|msg)(\.gz)?$/i.test(name)) return 'eml'
  if (/(?:^|\/)(?:cur|new)\/[^/]+$/.test(name)) return isMail(text, 1) ? 'maildir' : undefined
  return isMail(text, MIN_KNOWN) ? 'eml' : undefined
}

function isMail(text: string, minKnown: number): boolean {
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = block.split(/\r?\n/).slice(0, 200)
  const strange = lines.filter((line) => line !== '' && !/^(?:[!-9;-~]+\s*:|\s)/.test(line)).length
  const names = new Set(lines.map((line) => /^([!-9;-~]+)\s*:/.exec(line)?.[1]?.toLowerCase() ?? ''))
  const known = [...names].filter((name) => KNOWN.test(name))
  return strange <= 2 && known.length >= minKnown && known.some((name) => MAIL_HEADERS.test(name))
}

const READ = 1
const FLAGGED = 16

export interface MailFlags {
  readonly isRead?: boolean
  readonly isFlagged?: boolean
}

/** Removes Apple Mail's additions: the number of bytes before a mail, and a property list with flags after it. */
export function unwrapped(bytes: Buffer): { bytes: Buffer; flags: MailFlags } {
  const counted = /^\s*(\d{1,9})\s*?\n/.exec(bytes.toString('latin1', 0, 40))
  if (!counted) return { bytes, flags: {} }
  const [start, end] = [counted[0].length, counted[0].length + Number(counted[1])]
  const found = /<key>flags<\/key>\s*<integer>(\d{1,12})<\/integer>/.exec(bytes.toString('latin1', end, end + 20_000))
  const flags = found ? Number(found[1]) : undefined
  return {
    bytes: bytes.subarray(start, end),
    flags: flags === undefined ? {} : { isRead: (flags & READ) !== 0, isFlagged: (flags & FLAGGED) !== 0 },
  }
}

/** Min. characters of a passphrase, as in `pdpp owner backup`. */
export const PASSPHRASE_CHARS = 12
const MAX_CHARS = 1024

export function passphraseProblem(passphrase: string, again: string): string | undefined {
  if ([...passphrase].length < PASSPHRASE_CHARS)
    return `The passphrase must have ${PASSPHRASE_CHARS} characters at least.`
  if (passphrase.length > MAX_CHARS) return `The passphrase may have ${MAX_CHARS} characters at most.`
  if (/\p{Cc}/u.test(passphrase)) return 'The passphrase must be one line of letters, signs and spaces.'
  return passphrase === again ? undefined : 'The two passphrases are not the same.'
}

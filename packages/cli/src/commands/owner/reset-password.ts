import { withOwnerApi } from '../../provider/owner-api.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printLine } from '../../terminal/output.ts'
import { readSecret } from '../../terminal/secret-input.ts'

/** Sets the owner's password anew, without the old one. Every browser is signed out. */
export async function resetPassword(options: { dataDir?: string }): Promise<void> {
  const password = await readSecret('New password: ')
  if (password === '') throw new UsageError('No password was given.')
  if (process.stdin.isTTY && password !== (await readSecret('The same again: ')))
    throw new UsageError('The two passwords are not the same. Nothing was changed.')
  await withOwnerApi(options, (api) => api.request('PUT', '/v1/owner/password', { password }))
  printLine('The password is set. Every browser is signed out.')
}

import { readConfig } from '@pdpp/server/offline'
import { withOwnerApi } from '../../provider/owner-api.ts'
import { isNewDirectory } from '../../provider/require-data.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printLine } from '../../terminal/output.ts'
import { readSecret } from '../../terminal/secret-input.ts'

/** Sets a new password without asking for the old one. Signs out every browser. */
export async function resetPassword(options: { dataDir?: string }): Promise<void> {
  const password = await readSecret('New password: ')
  if (password === '') throw new UsageError('The password is empty.')
  if (process.stdin.isTTY && password !== (await readSecret('Repeat it: ')))
    throw new UsageError('The two passwords differ. Nothing was changed.')
  const config = readConfig({ dataDir: options.dataDir })
  const isNew = isNewDirectory(config)
  await withOwnerApi(options, (api) => api.request('PUT', '/v1/owner/password', { password }), { creates: true })
  printLine(
    isNew
      ? `The password is set. There was no data in ${config.dataDir}, so this is a new data directory.`
      : 'The new password is set. All browsers are signed out.',
  )
}

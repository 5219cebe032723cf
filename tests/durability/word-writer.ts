// Writes, changes and deletes records without end, so that segments are written and merged all the time. Started by
// word-index-survives-kills.test.ts, which kills it.
import { openSqliteStorage } from '@pdpp/server'
import { seed, target, upsert } from '../../packages/server/src/storage/contract/contract.fixture.ts'

const [directory, start] = process.argv.slice(2)
const storage = openSqliteStorage(directory!)
if (start === 'first') await seed(storage, ['home'])
await storage.writer.resume()
for (let round = 0; ; round++) {
  const size = [1, 1, 3, 40, 700][round % 5]!
  const rows = Array.from({ length: size }, (_, at) => {
    const id = `k${Math.floor(Math.random() * 4000)}`
    if (at % 11 === 10) return { key: id, emittedAt: 1, data: undefined }
    return upsert({ id, title: `gull word${Math.floor(Math.random() * 300)} round${round}` })
  })
  const unique = [...new Map(rows.map((row) => [row.key, row])).values()]
  await storage.writer.write(target('home'), unique)
  process.stdout.write('.')
}

import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { Database } from './database.ts'
import { faultOf } from './fault.ts'
import { migrate } from './migrate.ts'
import type { Session } from './session.ts'

const postgresTest = test.skipIf(whyNoPostgres() !== undefined)

async function openDatabase(through: (url: string) => string | Promise<string> = (url) => url) {
  const { url, release } = await testDatabase()
  const database = new Database({ url: await through(url) })
  await migrate(database)
  await database.run('drop table if exists tried')
  await database.run('create table tried (id int primary key, n int not null)')
  await database.run('insert into tried values (1, 0), (2, 0)')
  onTestFinished(async () => {
    await database.run('drop table tried').catch(() => {})
    await database.close()
    release()
  })
  return database
}

const numbers = (database: Database) => database.column<number>('select n from tried order by id')
const add = (session: Session, id: number) => session.run('update tried set n = n + 1 where id = ?', id)

/** Continues when everybody has arrived. A repeated attempt of the same work does not wait. */
function meeting(expected: number): () => Promise<void> {
  let [arrived, open] = [0, () => {}]
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    if (++arrived >= expected) open()
    await opened
  }
}

postgresTest(
  'transactions that wait for each other are both done, each once',
  async () => {
    const database = await openDatabase()
    const meet = meeting(2)
    let tries = 0
    const both = (first: number, second: number) =>
      database.transaction(async (session) => {
        tries++
        await add(session, first)
        await meet()
        await add(session, second)
      })
    await Promise.all([both(1, 2), both(2, 1)])
    expect(tries).toBeGreaterThan(2)
    expect(await numbers(database)).toEqual([2, 2])
  },
  60_000,
)

postgresTest('transactions that cannot be put in an order are done again', async () => {
  const database = await openDatabase()
  const meet = meeting(2)
  let tries = 0
  const increase = () =>
    database.transaction(async (session) => {
      tries++
      await session.run('set transaction isolation level serializable')
      const [n] = await session.column<number>('select n from tried where id = 1')
      await meet()
      await session.run('update tried set n = ? where id = 1', n! + 1)
    })
  await Promise.all([increase(), increase()])
  expect(tries).toBe(3)
  expect(await numbers(database)).toEqual([2, 0])
})

postgresTest.each(['40001', '40P01'])('a transaction that always fails with %s ends after some tries', async (code) => {
  const database = await openDatabase()
  let tries = 0
  const failing = database.transaction(async (session) => {
    tries++
    await add(session, 1)
    await session.run(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
  })
  const error = await failing.catch((failure: unknown) => failure)
  expect([(error as { code: string }).code, faultOf(error)]).toEqual([code, 'unavailable'])
  expect(tries).toBe(5)
  expect(await numbers(database)).toEqual([0, 0])
})

/**
 * A proxy to the server. It breaks the connection when a certain text is sent, before or after the server has received
 * it.
 */
async function breakingWay(
  url: string,
  text: string,
  when: () => 'before' | 'after' | undefined,
  onAnswer: (bytes: Buffer) => void = () => {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-way-'))
  const host = new URL(url.replace('@/', '@localhost/')).searchParams.get('host')!
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(join(host, '.s.PGSQL.5432'))
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    let isCut = false
    client.on('data', (bytes) => {
      const cut = bytes.includes(text) ? when() : undefined
      if (cut === 'before') return client.destroy()
      isCut ||= cut === 'after'
      return upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      onAnswer(bytes)
      return isCut ? client.destroy() : client.write(bytes)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((done) => server.listen(join(folder, '.s.PGSQL.5432'), done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return url.replace(encodeURIComponent(host), encodeURIComponent(folder))
}

postgresTest.each([
  { when: 'before' as const, done: 0 },
  { when: 'after' as const, done: 1 },
])(
  'a commit that is cut off $when the server has it fails, and its effect is never doubled',
  async ({ when, done }) => {
    let cut: 'before' | 'after' | undefined
    const database = await openDatabase((url) => breakingWay(url, 'commit\0', () => cut))
    let tries = 0
    cut = when
    const failing = database.transaction((session) => {
      tries++
      return add(session, 1)
    })
    const error = await failing.catch((failure: unknown) => failure)
    cut = undefined
    // Answered with 503.
    expect(faultOf(error)).toBe('unavailable')
    expect(tries).toBe(1)
    expect(await numbers(database)).toEqual([done, 0])
    // The next transaction gets its own connection.
    await database.transaction((session) => add(session, 2))
    expect(await numbers(database)).toEqual([done, 1])
  },
)

postgresTest.each([
  { times: 1, outcome: [0, 0] },
  { times: 2, outcome: 'unavailable' },
])('a read whose connection breaks is done once more, not more often ($times)', async ({ times, outcome }) => {
  let [left, tries] = [0, 0]
  const database = await openDatabase((url) =>
    breakingWay(url, 'select n from tried', () => {
      if (left === 0) return
      left--
      return 'after'
    }),
  )
  const inSnapshot = () =>
    database.snapshot((session) => {
      tries++
      return session.column<number>('select n from tried order by id')
    })
  for (const read of [() => numbers(database), inSnapshot]) {
    left = times
    expect(await read().catch(faultOf)).toEqual(outcome)
    expect(left).toBe(0)
  }
  expect(tries).toBe(2)
})

postgresTest('a write whose connection breaks is not done again', async () => {
  let isCut = false
  const database = await openDatabase((url) => breakingWay(url, 'set n = n +', () => (isCut ? 'after' : undefined)))
  isCut = true
  expect(await add(database, 1).catch(faultOf)).toBe('unavailable')
  isCut = false
  expect(await numbers(database)).toEqual([1, 0])
})

postgresTest('if one of several statements fails, its error is told and nothing is kept', async () => {
  const database = await openDatabase()
  const wrong = (session: Session) => session.run('update tried set n = 1 / (n - n)')
  const failing = database.transaction((session) =>
    Promise.all([add(session, 1), wrong(session), add(session, 2), add(session, 1)]),
  )
  expect((await failing.catch((failure: unknown) => failure)) as { code: string }).toMatchObject({ code: '22012' })
  expect(await numbers(database)).toEqual([0, 0])
  await database.transaction((session) => Promise.all([add(session, 1), add(session, 2), add(session, 1)]))
  expect(await numbers(database)).toEqual([2, 1])
})

postgresTest('a write is sent only after its transaction has begun, and nothing overtakes it', async () => {
  let hasBegun = false
  const seen: boolean[] = []
  const note = () => {
    seen.push(hasBegun)
    return undefined
  }
  const onAnswer = (bytes: Buffer) => {
    hasBegun ||= bytes.includes('BEGIN\0')
  }
  const database = await openDatabase((url) => breakingWay(url, 'set n = n +', note, onAnswer))
  hasBegun = false
  const [before, , after] = await database.transaction((session) =>
    Promise.all([
      session.column<number>('select n from tried where id = 1'),
      add(session, 1),
      session.column<number>('select n from tried where id = 1'),
    ]),
  )
  expect(seen).toEqual([true])
  expect([before, after]).toEqual([[0], [1]])
})

postgresTest('the first failure of a transaction is told, however it is waited for', async () => {
  const database = await openDatabase()
  /** A failure that the caller notices only after others. */
  const late = async <T>(result: Promise<T>) => {
    await result.catch(() => pause(50))
    return result
  }
  const failing = database.transaction((session) =>
    Promise.all([late(session.run('update tried set n = 1 / (n - n)')), add(session, 1)]),
  )
  expect((await failing.catch((failure: unknown) => failure)) as { code: string }).toMatchObject({ code: '22012' })
})

postgresTest('work that goes on after its transaction has failed writes nothing', async () => {
  const database = await openDatabase()
  let late: Promise<unknown> = Promise.resolve()
  let goOn = () => {}
  const failed = new Promise<void>((done) => {
    goOn = done
  })
  const failing = database.transaction((session) => {
    late = failed.then(() => add(session, 1))
    return Promise.all([session.run('update tried set n = 1 / (n - n)'), late])
  })
  await expect(failing).rejects.toThrow('division by zero')
  goOn()
  await expect(late).rejects.toThrow('has ended')
  expect(await numbers(database)).toEqual([0, 0])
})

import { checkDeclaration, rawNumber } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { fieldOf, memoryInput, planOf, readAllItems } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { tabular } from './importer.ts'

const ORDERS = `Order ID,Order Date,Title,Category,Price,Seller,Zip,Gift
A-1001,03/14/2024,"Garden hose, 20 m",Garden,29.90,Hartley & Sons,01234,true
A-1002,03/15/2024,Tea Assam,Food,4.50,Leaf House,99999,false
A-1003,03/16/2024,Desk lamp,Home,,Leaf House,12345,
`
const csv = (text: string | Uint8Array, name = 'orders.csv') => memoryInput(name, text)
const numberOf = (value: unknown) => Number(rawNumber(value) ?? value)
const dataOf = async (name: string, text: string, overrides = {}) =>
  (await readAllItems(tabular, await planOf(tabular, memoryInput(name, text), overrides))).records.map(
    ({ data }) => data,
  )

describe('what is inferred from a table', () => {
  it('infers types, key, time, title and searched fields', async () => {
    const plan = await planOf(tabular, csv(ORDERS))
    expect(checkDeclaration(plan.declaration)).toHaveProperty('declaration.connector_key', 'orders')
    const [stream] = plan.declaration.streams
    expect(stream).toMatchObject({ name: 'orders', primary_key: ['Order ID'], consent_time_field: 'Order Date' })
    expect(plan.streams[0]!.fields.map(({ name, type, uses }) => [name, type, ...uses])).toEqual([
      ['Order ID', 'text', 'key'],
      ['Order Date', 'date', 'time'],
      ['Title', 'text', 'title', 'searched'],
      ['Category', 'text'],
      ['Price', 'number', 'summable'],
      ['Seller', 'text', 'who', 'searched', 'countable'],
      ['Zip', 'text'],
      ['Gift', 'yes or no', 'countable'],
    ])
    const { records, problems } = await readAllItems(tabular, plan)
    expect(problems).toEqual([])
    expect(records[0]).toMatchObject({ stream: 'orders', key: 'A-1001', place: { row: 1, line: 2 } })
    expect(records[2]!.data).toEqual({
      'Order ID': 'A-1003',
      'Order Date': '2024-03-16',
      Title: 'Desk lamp',
      Category: 'Home',
      Price: null,
      Seller: 'Leaf House',
      Zip: '12345',
      Gift: null,
    })
  })

  it.each([
    ['epoch seconds', 'id,created\n1,1640995200\n2,1640995201\n', 'created', '2022-01-01T00:00:00Z'],
    ['epoch milliseconds', 'id,ts\n1,1640995200000\n2,1640995201000\n', 'ts', '2022-01-01T00:00:00Z'],
    ['day first', 'id;when\n1;02.03.1984\n2;30.01.1985\n', 'when', '1984-03-02'],
    ['decimal comma', 'id;amount\n1;"1.234,50"\n2;-3,99\n', 'amount', 1234.5],
    ['thousands', 'id,amount\n1,"1,234.50"\n2,12\n', 'amount', 1234.5],
    ['spaces between thousands', 'id;amount\n1;"-1 234,50"\n2;3,99\n', 'amount', -1234.5],
    ['narrow spaces between thousands', 'id;amount\n1;12\u202f345\u202f678,90\n2;3,99\n', 'amount', 12_345_678.9],
    ['apostrophes between thousands', "id;amount\n1;1'234.50\n2;1’000\n", 'amount', 1234.5],
    ['a true minus', 'id;amount\n1;\u22123,50\n2;1,00\n', 'amount', -3.5],
    ['a minus at the end', 'id;amount\n1;"1.234,50-"\n2;1,00\n', 'amount', -1234.5],
    ['numbers that are ids', 'id;phone\n1;612 345 678\n2;698 765 432\n', 'phone', '612 345 678'],
    ['spans of years', 'id;years\n1;1999-\n2;2004-\n', 'years', '1999-'],
    ['a line that names the delimiter', 'sep=;\r\nid;item\r\n1;Tea, black\r\n', 'item', 'Tea, black'],
    ['tabs', 'id\tnote\n1\thello, world\n2\tx\n', 'note', 'hello, world'],
  ])('%s', async (_name, text, field, expected) => {
    const [first] = await dataOf('table.csv', text)
    const value = first![field]
    expect(rawNumber(value) === undefined ? value : Number(rawNumber(value))).toBe(expected)
  })

  it('notes columns that are nearly numbers or dates', async () => {
    const text = 'id,price,day\n1,2.50,03/14/2024\n2,cheap,03/15/2024\n3,4,03/16/2024\n4,5,soon\n'
    const plan = await planOf(tabular, csv(text))
    expect(plan.notices).toEqual([
      { code: 'nearly_numbers', data: { column: 'price', unfit: 1, values: 4, example: 'cheap' } },
      { code: 'nearly_dates', data: { column: 'day', unfit: 1, values: 4, example: 'soon', type: 'mdy' } },
      expect.objectContaining({ code: 'no_time' }),
    ])
    const told = await planOf(tabular, csv(text), { types: { price: 'number', day: 'mdy' } })
    const { records, problems } = await readAllItems(tabular, told)
    expect(records.map(({ data }) => data['price'])).toEqual([expect.anything(), null, 4, 5])
    expect(problems.map(({ place, excerpt }) => [place.row, excerpt])).toEqual([
      [2, 'cheap'],
      [4, 'soon'],
    ])
  })

  it('makes the same key from the same content', async () => {
    const plan = await planOf(tabular, csv('track,played\nA,2024-01-01\nB,2024-01-02\nA,2024-01-01\n', 'plays.csv'))
    expect(plan.notices).toContainEqual({ code: 'no_key', data: { streams: ['plays'] } })
    const { records } = await readAllItems(tabular, plan)
    expect(records[0]!.key).toMatch(/^[0-9a-f]{32}$/)
    expect(records[1]!.key).not.toBe(records[0]!.key)
  })

  it('keeps equal rows apart, with the same keys in overlapping files', async () => {
    const coffee = '2024-01-02,Coffee,-3.50\n'
    const names = 'booked,purpose,amount\n'
    const january = memoryInput('statement-01.csv', `${names}2024-01-01,Rent,-900.00\n${coffee}${coffee}`)
    const february = memoryInput('statement-02.csv', `${names}${coffee}${coffee}2024-02-01,Rent,-900.00\n${coffee}`)
    const both = await readExport(tabular, [january])
    expect(both.records.map(({ data }) => numberOf(data['amount']))).toEqual([-900, -3.5, -3.5])
    const [, one, two] = both.records.map(({ key }) => key)
    expect([two, both.records[2]!.data['row_id']]).toEqual([`${one}-2`, `${one}-2`])
    const later = (await readExport(tabular, [february], {}, [both.plans[0]!.declaration])).records
    expect(later.map(({ key }) => key)).toEqual([one, two, later[2]!.key, `${one}-3`])
    expect(both.coverage).toMatchObject({ items: { seen: 3, imported: 3 }, leftOut: [], unexplained: 0 })
  })

  it.each([
    ['a sign before', '"$1,234.50"', '$7', '$', 1234.5],
    ['a sign behind', '"1.234,50 €"', '"-3,99 €"', '€', 1234.5],
    ['a space between thousands', '"1 234,50 €"', '"12,00 €"', '€', 1234.5],
    ['an apostrophe between thousands', "CHF 1'234.50", 'CHF 3.00', 'CHF', 1234.5],
    ['a code', 'EUR 12.50', 'EUR 3.00', 'EUR', 12.5],
    ['a minus before the sign', '-£12.50', '£3', '£', -12.5],
    ['a minus behind the sign', 'US$-12.50', 'US$3', 'US$', -12.5],
    ['brackets', '($12.50)', '$3.00', '$', -12.5],
    ['a number without a sign among them', '₹12.50', '3', '₹', 12.5],
  ])('amounts with %s are numbers with a unit', async (_name, first, second, unit, expected) => {
    const plan = await planOf(tabular, csv(`id,amount\n1,${first}\n2,${second}\n3,\n`, 'bank.csv'))
    const { records, problems } = await readAllItems(tabular, plan)
    expect([numberOf(records[0]!.data['amount']), records[2]!.data['amount'], problems]).toEqual([expected, null, []])
    const properties = plan.declaration.streams[0]!.schema['properties'] as Record<string, unknown>
    expect(properties['amount']).toMatchObject({
      type: ['number', 'null'],
      x_pdpp_type: 'currency',
      x_pdpp_unit: unit,
      x_pdpp_role: 'amount',
    })
    expect(plan.declaration.streams[0]!.query?.aggregations?.sum).toEqual(['amount'])
  })

  it('amounts in several currencies stay text, and so do names with a number', async () => {
    const plan = await planOf(tabular, csv('id,amount,part\n1,$3.00,CUP 1\n2,€4.00,CUP 2\n', 'bank.csv'))
    expect((await readAllItems(tabular, plan)).records[0]!.data).toMatchObject({ amount: '$3.00', part: 'CUP 1' })
    expect(plan.notices).toContain('"amount" has amounts in several currencies; it is kept as text.')
    const prices = await dataOf('a.json', '[{"id":1,"price":"$ 3.00"},{"id":2,"price":"$ 4.50"}]')
    expect(prices.map(({ price }) => numberOf(price))).toEqual([3, 4.5])
  })

  it.each([
    ['dates and amounts', '2024-01-01,Rent,€ 900\n2024-01-02,Coffee,€ 3\n'],
    ['addresses', 'Ida,ida@moor.example\nBo,bo@vale.example\n'],
    ['a word that comes again', 'Berlin,Ida\nBerlin,Bo\nHamburg,Cleo\n'],
    ['one row alone', '7,Kettle,2024-01-01\n'],
    ['comma numbers', 'Rent;900,00\nCoffee;3,50\n'],
  ])('a table without a header keeps its first row: %s', async (_name, text) => {
    const plan = await planOf(tabular, csv(text, 'table.csv'))
    const { records } = await readAllItems(tabular, plan)
    expect(records).toHaveLength(text.trim().split('\n').length)
    expect(plan.notices.join()).toContain('has no row of names')
  })

  it.each([
    ['names', 'name,city\nIda,Berlin\nBo,Berlin\n'],
    ['years', 'Country,2019,2020\nDE,1,2\nFR,3,4\n'],
    ['a header that comes twice', 'who,where\nIda,Berlin\nwho,where\nBo,Hamburg\n'],
    ['a value that is called as its column', 'type,note\ntype,x\nother,y\n'],
  ])('a header stays one: %s', async (_name, text) => {
    const plan = await planOf(tabular, csv(text, 'table.csv'))
    const columns = Object.keys(plan.declaration.streams[0]!.schema['properties'] as object)
    expect(columns).toEqual(expect.arrayContaining(text.split('\n')[0]!.split(',')))
  })

  it('names the account and the balance before a statement', async () => {
    const text = `"Account";"DE00 1234"
"From:";"01.01.2024 - 31.01.2024"
"Balance:";"1.234,56 €"
""
"Booked";"Valued";"Payer";"Payee";"Purpose";"Amount (€)"
"31.01.24";"31.01.24";"Ida Moor";"Hartley & Sons";"Hose";"-12,30 €"
"05.01.24";"05.01.24";"Ida Moor";"Leaf House";"Tea; Assam";"-1.050 €"
`
    const plan = await planOf(tabular, csv(text, 'statement.csv'))
    const { records, problems } = await readAllItems(tabular, plan)
    expect(records.map(({ data }) => [data['Booked'], data['Payee'], numberOf(data['Amount (€)'])])).toEqual([
      ['2024-01-31', 'Hartley & Sons', -12.3],
      ['2024-01-05', 'Leaf House', -1050],
    ])
    expect([problems, plan.notices.join()]).toEqual([[], expect.stringContaining('begins with 3 lines')])
  })

  it('a header stays one if its rows have too many cells', async () => {
    const plan = await planOf(tabular, csv('id,text\n1,red, green, blue\n2,one, two, three\n', 'words.csv'))
    const { records, problems } = await readAllItems(tabular, plan)
    expect([records.map(({ data }) => data['text']), problems.length]).toEqual([['red', 'one'], 2])
  })

  it.each([',', ';'])('lines of words before a table with %s are named, and no rows', async (delimiter) => {
    const table = 'id,item,price\n1,Tea,2.50\n2,Rope,3.00\n'.replaceAll(',', delimiter)
    const plan = await planOf(tabular, csv(`Account of Ida\n"All payments, and more"\n\n${table}`, 'bank.csv'))
    const { records, problems } = await readAllItems(tabular, plan)
    expect([records.map(({ data }) => data['item']), problems]).toEqual([['Tea', 'Rope'], []])
    expect(plan.notices).toContain('bank.csv begins with 2 lines that are not part of the table; they are left out.')
  })

  it('the owner says once that first rows of such files are data', async () => {
    const first = memoryInput('people-1.csv', 'Ida,Berlin\nBo,Hamburg\n')
    const { records, plans } = await readExport(tabular, [first], { header: false })
    expect(records.map(({ data }) => data['column_1'])).toEqual(['Ida', 'Bo'])
    const again = await readExport(tabular, [first], {}, [plans[0]!.declaration])
    expect(again.records).toEqual(records)
    expect(again.plans[0]!.match).toBe('same')
  })

  it('keys of several columns where no single one is unique', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `${n % 5},${Math.floor(n / 5)},x`).join('\n')
    const plan = await planOf(tabular, csv(`order_id,line_no,what\n${rows}\n`, 'lines.csv'))
    expect(plan.declaration.streams[0]!.primary_key).toEqual(['order_id', 'line_no'])
    expect((await readAllItems(tabular, plan)).records[7]!.key).toBe('["2","1"]')
  })
})

describe('what the owner decides instead', () => {
  it('key, time, text, title, types, stream and source', async () => {
    const overrides = {
      source: 'shop',
      stream: 'purchases',
      key: ['Zip', 'Order ID'],
      text: ['Category'],
      title: 'Seller',
      types: { Price: 'text', 'Order Date': 'date-time' },
      zone: 'Europe/Berlin',
    }
    const plan = await planOf(tabular, csv(ORDERS), overrides)
    const [stream] = plan.declaration.streams
    expect(plan.declaration.connector_key).toBe('shop')
    expect(stream).toMatchObject({
      name: 'purchases',
      primary_key: ['Zip', 'Order ID'],
      query: { search: { lexical_fields: ['Category'] } },
    })
    expect(fieldOf(plan, 'Seller')!.uses).toContain('title')
    expect(fieldOf(plan, 'Price')!.type).toBe('text')
  })

  it.each([
    [{ key: ['nope'] }, 'unknown_column', 'key', { column: 'nope' }],
    [{ time: 'Title' }, 'not_a_time', 'time', { column: 'Title', as: 'string' }],
    [{ text: ['Price'] }, 'not_a_text', 'text', { column: 'Price', as: 'number' }],
    [{ types: { Price: 'money' } }, 'unknown_type', 'type', { type: 'money' }],
    [{ tables: ['other'] }, 'no_rows', undefined, { wanted: ['other'] }],
  ])('%o is refused', async (overrides, code, override, data) => {
    await expect(planOf(tabular, csv(ORDERS), overrides)).rejects.toMatchObject({
      refusal: { code, data, ...(override === undefined ? {} : { override }) },
    })
  })
})

describe('rows that are not as they should be', () => {
  it('are reported by row and line, and the others go on', async () => {
    const text = `id,when,n\n${Array.from({ length: 60 }, (_, n) => `${n},2024-01-${String((n % 28) + 1).padStart(2, '0')},${n}`).join('\n')}\n60,yesterday,1\n61,2024-01-01\n,2024-01-01,1\n62,2024-01-01,1,2,3\n5,2024-05-05,9\n`
    const { records, problems } = await readAllItems(tabular, await planOf(tabular, csv(text)))
    expect(records.map(({ data }) => data['id'])).toEqual([...Array(63).keys()])
    expect(problems.map(({ place, reason, kept }) => [place.row, place.line, kept, reason])).toEqual([
      [61, 62, true, '"when" is not a date; it stays empty'],
      [62, 63, true, 'has 2 of 3 cells; the others stay empty'],
      [63, 64, false, 'has no "id", which is its key'],
      [64, 65, true, 'has 5 cells for 3 columns; the rest was left out'],
      [65, 66, false, 'has the same key as an earlier row, which is used'],
    ])
  })

  it('of JSON Lines: broken lines, other values, NaN', async () => {
    const text = '{"id":1,"v":1.5}\n{"id":2,"v":NaN}\nnonsense\n[1]\n\n{"id":3,"v":2}\n'
    const plan = await planOf(tabular, memoryInput('log.jsonl', text))
    expect(plan.notices.join()).toContain('NaN')
    const { records, problems } = await readAllItems(tabular, plan)
    expect(records.map(({ data }) => data)).toEqual([
      { id: 1, v: 1.5 },
      { id: 2, v: null },
      { id: 3, v: 2 },
    ])
    expect(problems.map(({ place, reason }) => [place.line, reason])).toEqual([
      [3, 'is not JSON'],
      [4, 'is not a JSON object'],
    ])
  })

  it('have excerpts that are bounded', async () => {
    const text = `{"id":1}\n{"id":2}\n${'x'.repeat(100_000)}\n`
    const { problems } = await readAllItems(tabular, await planOf(tabular, memoryInput('log.jsonl', text)))
    expect(problems[0]!.excerpt!.length).toBeLessThan(100)
  })
})

describe('files as programs write them', () => {
  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${ORDERS}`)],
    ['UTF-16', Buffer.from(`\ufeff${ORDERS}`, 'utf16le')],
    ['Windows line ends', Buffer.from(ORDERS.replaceAll('\n', '\r\n'))],
  ])('%s', async (_name, bytes) => {
    const plan = await planOf(tabular, csv(bytes))
    expect((await readAllItems(tabular, plan)).records.map(({ key }) => key)).toEqual(['A-1001', 'A-1002', 'A-1003'])
  })

  it('letters of windows-1252, which is said', async () => {
    const plan = await planOf(tabular, csv(Buffer.from('id,name\n1,J\u00f6rg\n2,Z\u00fcrich\n', 'latin1')))
    expect(plan.notices.join()).toContain('windows-1252')
    expect((await readAllItems(tabular, plan)).records[0]!.data['name']).toBe('Jörg')
  })

  it('names that are doubled, empty or impossible', async () => {
    const plan = await planOf(tabular, csv('id,name,name,,"a,[b]",__proto__\n1,x,y,z,w,p\n2,x,y,z,w,p\n'))
    expect(checkDeclaration(plan.declaration)).toHaveProperty('declaration')
    expect((await readAllItems(tabular, plan)).records[0]!.data).toEqual({
      id: 1,
      name: 'x',
      name_2: 'y',
      column_4: 'z',
      a__b_: 'w',
      _proto_: 'p',
    })
  })

  it('names that every object has, in rows that do not have them', async () => {
    const text = '[{"id":1,"constructor":"c"},{"id":2,"toString":"t"},{"id":3}]'
    const plan = await planOf(tabular, memoryInput('things.json', text))
    expect(plan.streams[0]!.examples.map((row) => typeof row['toString'])).toEqual(['undefined', 'string', 'undefined'])
    expect(plan.streams[0]!.fields.map(({ name, type, filled }) => [name, type, filled])).toEqual([
      ['id', 'whole number', 3],
      ['constructor', 'text', 1],
      ['toString', 'text', 1],
    ])
    const again = await planOf(tabular, memoryInput('things.json', text), {}, [plan.declaration])
    expect(again.match).toBe('same')
  })

  it.each([
    ['deep.jsonl', (deep: string) => `{"id":1,"a":${deep}}\n{"id":2,"a":[]}\n`],
    ['deep.json', (deep: string) => `[{"id":1,"a":${deep}},{"id":2,"a":[]}]`],
  ])('a row of %s that is nested as no record may be costs itself alone', async (name, textOf) => {
    for (const levels of [600, 50_000]) {
      const plan = await planOf(tabular, memoryInput(name, textOf('['.repeat(levels) + ']'.repeat(levels))))
      const { records, problems } = await readAllItems(tabular, plan)
      expect(records.map(({ key }) => key)).toEqual(['2'])
      expect(problems).toMatchObject([{ place: { row: 1 }, reason: expect.stringContaining('nested'), kept: false }])
    }
  })

  it('leaves out a row that is too long and reads the next ones', async () => {
    const text = `id,text\n1,first\n2,${'x'.repeat(17_000_000)}\n3,${'y'.repeat(5_000_000)}\n4,last\n`
    const { records, problems } = await readAllItems(
      tabular,
      await planOf(tabular, memoryInput('long.csv', text, 65_536)),
    )
    expect(records.map(({ key, data }) => [key, String(data['text']).length])).toEqual([
      ['1', 5],
      ['3', 5_000_000],
      ['4', 4],
    ])
    expect(problems).toMatchObject([
      { place: { row: 2, line: 3 }, reason: 'is longer than 16000000 characters', kept: false },
    ])
  })

  it('no row of names', async () => {
    const plan = await planOf(tabular, csv('1,x,2024-01-01\n2,y,2024-01-02\n'))
    expect(plan.notices.join()).toContain('no row of names')
    expect(plan.streams[0]!.fields.map(({ name }) => name)).toContain('column_3')
    expect((await readAllItems(tabular, plan)).records).toHaveLength(2)
  })

  it('NUL bytes, a cell of a megabyte and quoted newlines', async () => {
    const large = 'lorem ipsum '.repeat(90_000)
    const [first] = await dataOf('x.csv', `id,text\n1,"a\u0000b\n${large}"\n2,c\n`)
    expect(first!['text']).toBe(`ab\n${large}`)
  })

  it('ids above 2^53 keep every digit', async () => {
    const plan = await planOf(
      tabular,
      memoryInput('m.json', '[{"id":1052930247218692199,"t":"a"},{"id":1052930247218692200,"t":"b"}]'),
    )
    const { records } = await readAllItems(tabular, plan)
    expect(records.map(({ key }) => key)).toEqual(['1052930247218692199', '1052930247218692200'])
    expect(JSON.stringify(records[0]!.data)).toBe('{"id":1052930247218692199,"t":"a"}')
  })

  it('reads lists, objects of lists and single objects of JSON', async () => {
    expect(await dataOf('a.json', '[{"id":1,"tags":["x"],"at":{"y":1}}]')).toEqual([
      { id: 1, tags: ['x'], at: { y: 1 } },
    ])
    const plan = await planOf(
      tabular,
      memoryInput('export.json', '{"v":1,"people":[{"id":1}],"places":[{"id":2}],"tags":["a"]}'),
    )
    expect(plan.declaration.streams.map(({ name }) => name)).toEqual(['people', 'places', 'export'])
    const { records } = await readAllItems(tabular, plan)
    expect(records.map(({ stream }) => stream)).toEqual(['people', 'places', 'export'])
    // The members that are not tables become one record, so that nothing in the file is lost.
    expect(records[2]!.data).toMatchObject({ v: 1, tags: ['a'] })
    expect(await dataOf('me.json', '{"id":7,"name":"Mira"}')).toEqual([{ id: 7, name: 'Mira' }])
  })

  it('a truncated file is imported up to its end, with a problem', async () => {
    const { records, problems } = await readAllItems(
      tabular,
      await planOf(tabular, memoryInput('a.json', '[{"id":1},{"id":2},{"i')),
    )
    expect([records.length, problems.map(({ reason }) => reason)]).toEqual([
      2,
      ['the file ends in the middle; what follows is missing'],
    ])
  })

  it('half an object is no record, and its members are named', async () => {
    const plan = await planOf(tabular, memoryInput('a.json', '{"v":1,"people":[{"id":1}],"tags":["a","b"],"n'))
    const { records, problems } = await readAllItems(tabular, plan)
    expect(records.map(({ stream }) => stream)).toEqual(['people'])
    expect(problems).toMatchObject([{ kept: false, reason: expect.stringContaining('left out: "v", "tags"') }])
    await expect(planOf(tabular, memoryInput('cut.json', '{"a":[1,2'))).rejects.toMatchObject({
      refusal: { code: 'no_rows', data: { problem: expect.stringContaining('ends in the middle') } },
    })
  })

  it('a file that is not a table is not claimed', async () => {
    expect(await tabular.detect(await candidate(csv('', 'empty.csv')))).toBeUndefined()
    expect(
      await tabular.detect(
        await candidate(memoryInput('photo.jpg', new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2, 3, 0]))),
      ),
    ).toBeUndefined()
    expect(
      await tabular.detect(await candidate(memoryInput('README', 'Just some words.\nAnd more of them.\n'))),
    ).toBeUndefined()
    await expect(planOf(tabular, csv('id,name\n'))).rejects.toThrow('no_rows')
  })
})

describe('the next file of the same shape', () => {
  const first = () => planOf(tabular, csv(ORDERS))
  const more = ORDERS.replace('29.90', '31.00')

  it('goes to the same stream, read in the same way', async () => {
    const known = [(await first()).declaration]
    const plan = await planOf(tabular, csv(more, 'orders-2024-04.csv'), {}, known)
    expect([plan.match, plan.changes, plan.declaration]).toEqual(['same', [], known[0]])
  })

  it('is a source of its own when it is called otherwise', async () => {
    const known = [(await first()).declaration]
    const alike = await planOf(tabular, csv(more, 'returns.csv'), {}, known)
    expect([alike.match, alike.declaration.connector_key]).toEqual(['new', 'returns'])
    const apart = await planOf(tabular, csv(more, 'returns.csv'), { source: 'returns' }, known)
    expect([apart.match, apart.declaration.connector_key]).toEqual(['new', 'returns'])
  })

  it('is another source if the name differs and rows are numbered', async () => {
    const text = 'id,name\n1,Mira\n2,Jon\n'
    const known = [(await planOf(tabular, csv(text, 'people.csv'))).declaration]
    const places = await planOf(tabular, csv(text, 'places.csv'), {}, known)
    expect([places.match, places.declaration.connector_key]).toEqual(['new', 'places'])
    expect((await planOf(tabular, csv(text, 'people (2).csv'), {}, known)).match).toBe('same')
  })

  it('adds a new column, and leaves everything else as it was', async () => {
    const known = [(await first()).declaration]
    const wider = more
      .split('\n')
      .map((line, at) => (line === '' ? '' : `${line},${at === 0 ? 'Remark' : 'left at the door'}`))
      .join('\n')
    const plan = await planOf(tabular, csv(wider), {}, known)
    expect([plan.match, plan.changes]).toEqual(['extended', ['new field "Remark" (string)']])
    const [before, after] = [known[0]!.streams[0]!, plan.declaration.streams[0]!]
    expect(after.schema['properties']).toMatchObject(before.schema['properties'] as object)
    expect(after.query?.search?.lexical_fields).toEqual([...before.query!.search!.lexical_fields!, 'Remark'])
    expect(checkDeclaration(plan.declaration)).toHaveProperty('declaration')
    expect((await readAllItems(tabular, plan)).records[0]!.data['Remark']).toBe('left at the door')
  })

  it('keeps keys made from content when a column is added', async () => {
    const text = 'track,played\nA b,2024-01-01\nB c,2024-01-02\n'
    const plan = await planOf(tabular, csv(text, 'plays.csv'))
    const wider = await planOf(
      tabular,
      csv(
        text.replace('played', 'played,device').replace(/\d\n/g, (end) => `${end[0]},phone\n`),
        'plays.csv',
      ),
      {},
      [plan.declaration],
    )
    const keys = async (p: typeof plan) => (await readAllItems(tabular, p)).records.map(({ key }) => key)
    expect(await keys(wider)).toEqual(await keys(plan))
  })

  it('takes another title, time or search from the owner', async () => {
    const known = [(await first()).declaration]
    const plan = await planOf(tabular, csv(ORDERS), { title: 'Seller', text: ['Category', 'Title'] }, known)
    expect(plan.changes).toEqual(['"Seller" becomes the title', 'searched are now "Category", "Title"'])
    expect(plan.declaration.streams[0]!.query?.search?.lexical_fields).toEqual(['Category', 'Title'])
  })

  it.each([
    ['another key', ORDERS, { key: ['Title'] }, 'key_is_fixed: key'],
    ['another type', ORDERS, { types: { Price: 'text' } }, 'type_is_fixed: type'],
    ['no key column', ORDERS.replaceAll(/^[^,]*,/gm, ''), { source: 'orders', stream: 'orders' }, 'key_is_missing'],
    ['values of another kind', ORDERS.replace('29.90', 'cheap').replace('4.50', 'dear'), {}, 'values_do_not_fit'],
  ])('%s is refused', async (_name, text, overrides, message) => {
    const known = [(await first()).declaration]
    await expect(planOf(tabular, csv(text), overrides, known)).rejects.toThrow(message)
  })

  it('keeps its time zone', async () => {
    const text = 'id,sent\n1,2024-07-01 12:00\n2,2024-07-02 12:00\n'
    const { declaration } = await planOf(tabular, csv(text), { zone: 'Europe/Berlin' })
    const again = await planOf(tabular, csv(text), {}, [declaration])
    expect((await readAllItems(tabular, again)).records[0]!.data['sent']).toBe('2024-07-01T12:00:00+02:00')
    await expect(planOf(tabular, csv(text), { zone: 'Asia/Tokyo' }, [declaration])).rejects.toThrow(
      'zone_is_fixed: zone',
    )
  })

  it('reads times that name their zone again, whatever zone is chosen', async () => {
    const text = 'id,sent\n1,2024-07-01 12:00 UTC\n2,2024-07-02 12:00 UTC\n'
    const { declaration } = await planOf(tabular, csv(text), { zone: 'Europe/Berlin' })
    const again = await planOf(tabular, csv(text), { zone: 'Europe/Berlin' }, [declaration])
    expect((await readAllItems(tabular, again)).records[0]!.data['sent']).toBe('2024-07-01T12:00:00Z')
    const local = csv(text.replaceAll(' UTC', ''))
    await expect(planOf(tabular, local, { zone: 'Europe/Berlin' }, [declaration])).rejects.toThrow('zone_is_fixed')
  })

  it('does not touch sources that were declared by other means', async () => {
    const { extensions: _extensions, ...declared } = (await first()).declaration
    const plan = await planOf(tabular, csv(ORDERS), {}, [declared])
    expect([plan.match, plan.declaration.connector_key]).toEqual(['new', 'orders-2'])
    await expect(planOf(tabular, csv(ORDERS), { source: 'orders' }, [declared])).rejects.toThrow(
      'source_not_of_tables: source',
    )
  })
})

importerBattery({
  importer: tabular,
  files: {
    'note.json':
      '{"title":"Groceries","isPinned":false,"labels":["home"],"at":{"y":1},"listContent":[{"text":"Tea"},{"text":"Rope"}],"none":[],"edited":1700000000000000}',
  },
  records: { note: 1, listContent: 2 },
  seen: { note: 1, listContent: 2 },
  isOpenEnded: true,
})

importerBattery({
  importer: tabular,
  files: {
    'orders.json':
      '[{"id":"a","item":"Tea","at":"2026-01-01T10:00:00Z"},{"id":"b","item":"Rope"},{"id":"b","item":"Rope"}]',
  },
  overrides: { key: ['id'] },
  records: { orders: 2 },
  seen: { orders: 3 },
  leftOut: [['orders', 'copies of a row that was imported', 1]],
})

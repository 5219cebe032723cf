import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachToken, tokenize } from './analyser.ts'

const terms = (text: string) => tokenize(text).map(({ term }) => term)

const UUID = '3f2a91c0-4711-4abc-9def-0123456789ab'
const UUID_TERM = '3f2a91c047114abc9def0123456789ab'
const HASH = 'a8f5f167f44f4964e6c998dee827110c'

describe('an id is one term', () => {
  test.each([
    [UUID, [UUID_TERM]],
    [UUID.toUpperCase(), [UUID_TERM]],
    [`{${UUID}}`, [UUID_TERM]],
    [`2026-${UUID}-31`, ['2026', UUID_TERM, '31']],
    [`conversation_${UUID}.json`, ['conversation', UUID_TERM, 'json']],
    ['deadbeef-dead-beef-cafe-deadbeefcaf1', ['deadbeefdeadbeefcafedeadbeefcaf1']],
    [`https://shop.example/orders/${UUID}/items`, ['https', 'shop', 'example', 'orders', UUID_TERM, 'items']],
    [`${HASH}-31`, [`${HASH}31`]],
    [`31-4711_${HASH}`, [`314711${HASH}`]],
    ['msg_01HZX83NNDEKTSV4RRFFQ69G5FAV', ['msg', '01hzx83nndektsv4rrffq69g5fav']],
    ['run-8f14e45fceea-31-cafe-4711-log', ['run', '8f14e45fceea31cafe4711', 'log']],
    [
      'https://a.example/list?page=31&utm_id=4711#top',
      ['https', 'a', 'example', 'list', 'page31', 'utm', 'id4711', 'top'],
    ],
    // Chinese is written without spaces around an id.
    [`订单${UUID}已付`, ['订单', '单', UUID_TERM, '已付', '付']],
    [`Straße ${UUID} ß`, ['strasse', UUID_TERM, 'ss']],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })
})

describe('what people type in parts stays in parts', () => {
  test.each([
    ['INV-2041', ['inv', '2041']],
    ['RE-2024-0031-A', ['re', '2024', '0031', 'a']],
    ['COVID-19', ['covid', '19']],
    ['gull-3', ['gull', '3']],
    ['A4 v2.1 R2D2', ['a4', 'v2', '1', 'r2d2']],
    ['2026-05-14 12:30', ['2026', '05', '14', '12', '30']],
    ['2026-05-14T12-30-00Z', ['2026', '05', '14t12', '30', '00z']],
    ['+49 30 1234567 and 030-123-4567', ['49', '30', '1234567', 'and', '030', '123', '4567']],
    ['DE89 3704-0044-0532-0130-00', ['de89', '3704', '0044', '0532', '0130', '00']],
    ['1.234,56 EUR', ['1', '234', '56', 'eur']],
    ['LH 401, LH401, LH-401', ['lh', '401', 'lh401', 'lh', '401']],
    ['plot 31', ['plot', '31']],
    ['anna-31@example.com', ['anna', '31', 'example', 'com']],
    ['978-3-16-148410-0', ['978', '3', '16', '148410', '0']],
    ['iPhone15 WH-1000XM5-31', ['iphone15', 'wh', '1000xm5', '31']],
    ['SM-G991B-128GB-2021', ['sm', 'g991b', '128gb', '2021']],
    ['DS-2CD2043G0-I', ['ds', '2cd2043g0', 'i']],
    ['IMG_20260514_123045', ['img', '20260514', '123045']],
    ['#run-42k #sub4', ['run', '42k', 'sub4']],
    ['U-Bahn-Linie-8 um-10-Uhr', ['u', 'bahn', 'linie', '8', 'um', '10', 'uhr']],
    ['e2-e4-e7-e5', ['e2', 'e4', 'e7', 'e5']],
    ['x=31 and n=4711', ['x', '31', 'and', 'n', '4711']],
    [
      'https://a.example/issues/4711?date=2026-05-14',
      ['https', 'a', 'example', 'issues', '4711', 'date', '2026', '05', '14'],
    ],
    ['https://a.example/?order=20260514', ['https', 'a', 'example', 'order', '20260514']],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  test('words without digits are never joined', () => {
    const word = fc.stringMatching(/^[a-z]{1,7}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        for (const joint of ['-', '_', '=']) expect(terms(words.join(joint))).toEqual(words)
      }),
    )
  })

  test('numbers alone are never joined', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), (numbers) => {
        for (const joint of ['-', '_']) expect(terms(numbers.join(joint))).toEqual(numbers.map(String))
      }),
    )
  })
})

test('every UUID is one term, and gives no other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom('', ' at noon', '.', '/', ' – ä'), (uuid, rest) => {
      expect(terms(uuid + rest)[0]).toBe(uuid.replaceAll('-', ''))
    }),
  )
})

test.each(['1-', 'a1_', 'f-1-', '1a2b3c4d-', '?a=1&', '1-abcdef-'])('a long text of %s is read quickly', (piece) => {
  let found = 0
  eachToken(piece.repeat(50_000), () => found++)
  expect(found).toBeGreaterThan(1000)
})

import { describe, expect, it } from 'vitest'
import { readTime, type TimeForm } from './times.ts'

const cases: [TimeForm, string, string | undefined][] = [
  ['iso', '2026-02-01T20:00:00Z', '2026-02-01T20:00:00Z'],
  ['iso', '2026-02-01 20:00:00.5+01:00', '2026-02-01T20:00:00.5+01:00'],
  ['iso', '2026-02-30', undefined],
  ['ymd', '2021-04-22 05:41', '2021-04-22T05:41:00Z'],
  ['ymd', '2021/4/2', '2021-04-02'],
  ['dmy', '02.03.1984', '1984-03-02'],
  ['dmy', '31/12/99 23:59:58', '1999-12-31T23:59:58Z'],
  ['mdy', '12/31/2024, 1:05:00 PM', '2024-12-31T13:05:00Z'],
  ['mdy', '12/31/2024 12:05 am', '2024-12-31T00:05:00Z'],
  ['mdy', '31/12/2024', undefined],
  ['named', 'Fri, 07 Feb 2003 19:21:04 +0200', '2003-02-07T19:21:04+02:00'],
  ['named', 'Tue, 1 Jul 2003 10:52:37 EST', '2003-07-01T10:52:37-05:00'],
  ['named', 'Tue Mar 04 03:33:20 2003', '2003-03-04T03:33:20Z'],
  ['named', 'Mon Jan  1 00:00:00 +0000 2024', '2024-01-01T00:00:00+00:00'],
  ['named', 'Tue, 17 Jul 2012 22:23:35.882 0000', '2012-07-17T22:23:35.882Z'],
  ['named', 'Jan 5, 2021, 10:20:30 PM', '2021-01-05T22:20:30Z'],
  ['named', '5 January 2021', '2021-01-05'],
  ['named', 'Sept. 5, 2021', '2021-09-05'],
  ['named', 'Tues, 5 Jan 2021', '2021-01-05'],
  ['named', 'Mar 5, 2021', '2021-03-05'],
  ['named', 'Dienstag, 5. März 2019', '2019-03-05'],
  ['named', '5 févr. 2021 10:20', '2021-02-05T10:20:00Z'],
  ['named', 'mardi 5 aout 2021', '2021-08-05'],
  ['named', '5 de enero de 2021', '2021-01-05'],
  ['named', 'segunda-feira, 5 de abril de 2021', '2021-04-05'],
  ['named', '5 stycznia 2021', '2021-01-05'],
  ['named', '5 января 2021', '2021-01-05'],
  ['named', '5. marraskuuta 2021', '2021-11-05'],
  ['named', '5 Ağustos 2021', '2021-08-05'],
  ['named', '2021. január 5.', '2021-01-05'],
  ['named', '2021年1月5日', '2021-01-05'],
  ['named', '2021年1月5日(火) 10:20:30', '2021-01-05T10:20:30Z'],
  ['named', '2021年01月05日 10時20分', '2021-01-05T10:20:00Z'],
  ['named', '2021년 1월 5일', '2021-01-05'],
  ['named', '2021年13月5日', undefined],
  ['named', '2021年1月5日 下午3:05', undefined],
  ['named', '5 Elevember 2021', undefined],
  ['named', 'Chapter 5 January 2021', undefined],
  ['epoch-s', '1386181191.000600', '2013-12-04T18:19:51.000600Z'],
  ['epoch-ms', '1640995200000', '2022-01-01T00:00:00Z'],
  ['epoch-ns', '1640995200123456789', '2022-01-01T00:00:00.123456Z'],
  ['webkit', '13255337775902496', '2021-01-17T06:16:15.902496Z'],
  ['mac', '640400624.402631', '2021-04-18T01:03:44.402631Z'],
  ['epoch-s', 'soon', undefined],
]

describe('times', () => {
  it.each(cases)('%s %s', (form, text, expected) => expect(readTime(form, text)?.text).toBe(expected))

  it('reads a time without a zone in the given zone', () => {
    expect(readTime('ymd', '2024-07-01 12:00', 'Europe/Berlin')?.text).toBe('2024-07-01T12:00:00+02:00')
    expect(readTime('ymd', '2024-01-01 12:00', 'Europe/Berlin')?.text).toBe('2024-01-01T12:00:00+01:00')
    expect(readTime('ymd', '2024-10-27 02:30', 'Europe/Berlin')?.text).toBe('2024-10-27T02:30:00+02:00')
    expect(readTime('ymd', '2024-01-01 12:00', 'America/New_York')?.text).toBe('2024-01-01T12:00:00-05:00')
  })
})

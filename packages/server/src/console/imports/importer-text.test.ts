import type { ImportNotice, Refusal } from '@pdpp/importers'
import { expect, it } from 'vitest'
import { failureText, noticesText } from './importer-text.ts'

const file = 'orders.csv'
const [source, stream] = ['shop', 'orders']
const REFUSALS: Refusal[] = [
  { code: 'no_files', data: {} },
  { code: 'nothing_known', data: { file, reason: 'is empty', others: 2 } },
  { code: 'file_changed', data: { file } },
  { code: 'no_rows', data: { file, format: 'csv', wanted: ['a'], tables: ['b'] } },
  { code: 'several_tables', data: { file, tables: ['a', 'b'] }, override: 'table' },
  { code: 'database_without_path', data: { file } },
  { code: 'database_unreadable', data: { file, reason: 'locked' } },
  { code: 'fields_are_fixed', data: { overrides: ['key', 'time'] } },
  { code: 'other_kind_of_source', data: { source }, override: 'source' },
  { code: 'source_not_of_tables', data: { source }, override: 'source' },
  { code: 'connection_of_other_source', data: { connection: 'mine', source }, override: 'connection' },
  { code: 'several_connections', data: { source, connections: ['a', 'b'] }, override: 'connection' },
  { code: 'unknown_type', data: { type: 'money', types: ['number'] }, override: 'type' },
  { code: 'unknown_column', data: { column: 'nope', columns: ['id'] }, override: 'key' },
  { code: 'not_a_time', data: { column: 'title', as: 'string' }, override: 'time' },
  { code: 'not_a_text', data: { column: 'price', as: 'number' }, override: 'text' },
  { code: 'key_is_fixed', data: { stream, key: ['id'] }, override: 'key' },
  { code: 'type_is_fixed', data: { column: 'price', as: 'number', stream }, override: 'type' },
  { code: 'zone_is_fixed', data: { field: 'sent', zone: 'UTC', stream }, override: 'zone' },
  { code: 'key_is_missing', data: { stream, key: ['id'] } },
  { code: 'values_do_not_fit', data: { field: 'price', as: 'number', stream, unfit: 2, values: 3, example: 'dear' } },
]
const nearly = { column: 'price', unfit: 1, values: 4, example: 'cheap' }
const NOTICES: ImportNotice[] = [
  { code: 'nearly_numbers', data: nearly },
  { code: 'nearly_dates', data: { ...nearly, type: 'mdy' } },
  { code: 'day_or_month_first', data: { column: 'day', form: 'dmy' } },
  { code: 'no_time_zone', data: { column: 'day' } },
  { code: 'key_not_unique', data: { field: 'id', repeated: 1, rows: 60 } },
  { code: 'no_key', data: { streams: [stream] } },
  { code: 'no_time', data: { streams: [stream] } },
]

it.each(REFUSALS)('names no flag for $code', (refusal) => {
  const { message, nextStep } = failureText({ refusal })
  expect(`${message} ${nextStep}`).not.toMatch(/--|undefined/)
})

it('names the field of the form that was refused', () => {
  const refusal = REFUSALS.find(({ code }) => code === 'unknown_column')!
  expect(failureText({ refusal }).message).toBe('Key: there is no column "nope".')
})

it('shows a stored sentence of an earlier version as it is', () => {
  const stored = { message: '--key: there is no column "nope".', nextStep: 'The columns are: id.' }
  expect(failureText(stored)).toEqual(stored)
  expect(noticesText(['Name one with --time.'])).toEqual(['Name one with --time.'])
})

it('says each notice once, with a field of the form', () => {
  const texts = noticesText([...NOTICES, ...NOTICES])
  expect(texts).toHaveLength(NOTICES.length)
  for (const text of texts) expect(text).toMatch(/^[^-]*“(Read as|Time zone|Key|Time)” below\.$/)
})

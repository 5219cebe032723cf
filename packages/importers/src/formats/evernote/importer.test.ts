import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { evernote } from './importer.ts'

const RECIPE = Buffer.from('Two eggs, flour and milk.').toString('base64')
const enex = (
  notes: string,
  doctype = '<!DOCTYPE en-export SYSTEM "http://xml.evernote.example/evernote-export4.dtd">',
) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n<en-export export-date="20260501T080000Z" application="Evernote">${notes}</en-export>\n`
const NOTES = `
<note><title>Pancakes &amp; tea</title><created>20260403T181500Z</created><updated>20260404T070000Z</updated><tag>food</tag><tag>sunday</tag>
<note-attributes><latitude>59.33</latitude><longitude>18.07</longitude><author>Ida Moor</author><source-url>https://pan.example/cakes</source-url><reminder-time>20260405T060000Z</reminder-time></note-attributes>
<content><![CDATA[<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-note SYSTEM "x"><en-note><div>Beat the eggs &eacute; l&apos;italienne.</div><div><en-todo checked="true"/>Buy flour</div><ul style="--en-todo:true;"><li style="--en-checked:false;"><div>Whisk</div></li></ul><div><a href="evernote:///view/1/s1/ab/ab/">Syrup</a> <a href="https://syrup.example/?a=1&amp;b=2">shop</a></div><en-crypt cipher="AES">QUJD</en-crypt><en-media type="text/plain" hash="0"/></en-note>]]></content>
<task><title>Ring Ida</title><created>20260403T181500Z</created><taskStatus>open</taskStatus><dueDate>20260406T220000Z</dueDate><reminder><created>20260403T181500Z</created></reminder></task>
<resource><data encoding="base64">${RECIPE.slice(0, 11)}
${RECIPE.slice(11)}</data><mime>text/plain</mime><recognition><![CDATA[<recoIndex/>]]></recognition><resource-attributes><file-name>recipe.txt</file-name></resource-attributes></resource>
<resource><data encoding="base64">${RECIPE}</data><mime>text/plain</mime></resource>
</note>
<note><title>Untitled</title><content><![CDATA[<en-note>No time here</en-note>]]></content></note>
<note><title>Untitled</title><content><![CDATA[<en-note>No time here</en-note>]]></content></note>`
const read = (text: string) => readExport(evernote, [memoryInput('Kitchen.enex', text, 100)])

it('a note has its text, tags, tasks, links, place and files', async () => {
  const { records } = await read(enex(NOTES))
  const note = records[0]!.data
  expect(note).toMatchObject({
    title: 'Pancakes & tea',
    folder: 'Kitchen',
    tags: ['food', 'sunday'],
    author: 'Ida Moor',
    noted_at: '2026-04-03T18:15:00Z',
    updated_at: '2026-04-04T07:00:00Z',
    latitude: 59.33,
    url: 'https://pan.example/cakes',
    is_locked: true,
    properties: { reminder_time: '2026-04-05T06:00:00Z' },
    attachment_count: 1,
  })
  expect(note['text']).toMatch(/^Beat/)
  expect(note['text']).toContain("Beat the eggs é l'italienne.")
  expect(note['text']).not.toContain('QUJD')
  const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
  expect(of('tasks').map(({ text, is_done, due_at }) => [text, is_done, due_at])).toEqual([
    ['Buy flour', true, null],
    ['Whisk', false, null],
    ['Ring Ida', false, '2026-04-06T22:00:00Z'],
  ])
  expect(of('links').map(({ kind, target }) => [kind, target])).toEqual([
    ['note', 'evernote:///view/1/s1/ab/ab/'],
    ['web', 'https://syrup.example/?a=1&b=2'],
  ])
  expect(of('attachments').map(({ filename, extracted_text }) => [filename, extracted_text])).toEqual([
    ['recipe.txt', 'Two eggs, flour and milk.'],
  ])
})

it('a changed text changes the note, and equal notes stay two', async () => {
  const [before, after] = [await read(enex(NOTES)), await read(enex(NOTES.replace('Beat the eggs', 'Beat four eggs')))]
  const keys = (records: typeof before.records) => records.map(({ key }) => key)
  expect(keys(after.records)).toEqual(keys(before.records))
  expect(new Set(keys(before.records)).size).toBe(before.records.length)
})

it('refuses declared entities by name', async () => {
  const bomb = '<!DOCTYPE en-export [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
  const { records, items } = await read(enex('<note><title>&b;</title></note>', bomb))
  expect(records).toEqual([])
  expect(JSON.stringify(items)).toContain('declares entities, which is refused')
})

importerBattery({
  importer: evernote,
  files: { 'Export/Kitchen.enex': enex(NOTES) },
  records: { notes: 3, links: 2, tasks: 3, attachments: 1 },
  seen: { notes: 3, attachments: 2 },
  leftOut: [['attachments', 'the same file twice in a note', 1]],
})

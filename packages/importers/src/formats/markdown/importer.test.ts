import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { markdown } from './importer.ts'

const GARDEN = `---
title: Garden plan
date: 2026-04-03
tags: [garden, spring/beds]
author: Ida Moor
mood: hopeful
---
# Beds

Sow the beans behind the shed, see [the seed list](seeds.md) and [[Tools#Spades|spades]]. #beans

- [x] Order compost
- [ ] Mend the fence

![The shed](pictures/shed.png) and ![gone](pictures/gone.jpg), from https://garden.example/beans.

\`\`\`
#notatag [[Not a link]]
\`\`\`
`
const FILES = {
  'Notes/garden.md': GARDEN,
  'Notes/seeds.md': 'Back to [the plan](garden.md).',
  'Notes/sub/Tools.md': '# Tools\n\nSpades and rakes.',
  'Notes/2026-04-12 Rain.txt': 'It rained all day, and I read about mosses.',
  'Notes/pictures/shed.png': Buffer.from('\u0089PNG\r\n\u001a\n a picture of a shed'),
}
const read = (files: Readonly<Record<string, string | Uint8Array>>, zone?: string) =>
  readExport(
    markdown,
    Object.entries(files).map(([name, content]) => memoryInput(name, content)),
    zone === undefined ? {} : { zone },
  )

describe('Markdown notes', () => {
  it('have their front matter, tags, times, links, tasks and files', async () => {
    const { records, plans } = await read(FILES, 'Europe/Berlin')
    expect(plans.map(({ connection }) => connection?.name)).toEqual(['Notes: Notes'])
    const note = records.find(({ data }) => data['title'] === 'Garden plan')!
    expect(note.data).toMatchObject({
      folder: null,
      path: 'garden.md',
      tags: ['garden', 'spring/beds', 'beans'],
      author: 'Ida Moor',
      noted_at: '2026-04-03T00:00:00+02:00',
      properties: { mood: 'hopeful' },
      attachment_count: 2,
    })
    expect(note.data['text']).toMatch(/^# Beds/)
    const of = (stream: string) =>
      records.filter((record) => record.stream === stream && record.data['note_id'] === note.key)
    const titles = new Map(records.map(({ key, data }) => [key, data['title']]))
    expect(
      of('links').map(({ data }) => [data['kind'], data['target'], titles.get(String(data['target_id']))]),
    ).toEqual([
      ['note', 'Tools', 'Tools'],
      ['note', 'seeds.md', 'seeds'],
      ['web', 'https://garden.example/beans', undefined],
    ])
    expect(of('tasks').map(({ data }) => [data['text'], data['is_done']])).toEqual([
      ['Order compost', true],
      ['Mend the fence', false],
    ])
    expect(of('attachments').map(({ data }) => [data['filename'], data['is_missing']])).toEqual([
      ['shed.png', false],
      ['gone.jpg', true],
    ])
  })

  it('are dated by the day in their name', async () => {
    const { records } = await read(FILES)
    const rain = records.find(({ data }) => data['path'] === '2026-04-12 Rain.txt')!
    expect(rain.data).toMatchObject({ title: '2026-04-12 Rain', noted_at: '2026-04-12T00:00:00Z' })
  })

  it('keep their ids when the text changes and when they come in a zip', async () => {
    const keys = async (files: Record<string, string | Uint8Array>) =>
      (await read(files)).records.filter(({ stream }) => stream === 'notes').map(({ key }) => key)
    const before = await keys(FILES)
    expect(await keys({ ...FILES, 'Notes/garden.md': `${GARDEN}More.` })).toEqual(before)
    const zipped = Object.fromEntries(
      Object.entries(FILES).map(([name, text]) => [name.replace('Notes/', 'Notes.zip/'), text]),
    )
    expect(await keys(zipped)).toEqual(before)
    expect(await keys({ ...FILES, ...zipped })).toEqual(before)
    const older = await read({ 'Notes/a.md': 'New', 'Notes.zip/a.md': 'Old' })
    expect(older.items.flatMap((item) => ('problem' in item ? [item.problem.kept] : []))).toEqual([false])
  })

  it('that get another link and task change by these alone', async () => {
    const text = (more: string) => `[[Boat]]${more} [[Tent]]\n\n- [ ] Pack\n- [ ] Sail`
    const children = async (more: string) =>
      (
        await read({
          'Notes/a.md': text(more).replace('- [ ] Pack', `${more && '- [ ] Eat\n'}- [${more ? 'x' : ' '}] Pack`),
        })
      ).records
        .filter(({ stream }) => stream !== 'notes')
        .map(({ key, data }) => [key, data['target'] ?? data['text']])
    const [before, after] = [await children(''), await children(' [[Rope]]')]
    expect(after).toHaveLength(6)
    expect(after).toEqual(expect.arrayContaining(before))
  })

  it('that are alone and have the same name are two notes', async () => {
    const [one, two] = [await read({ 'todo.md': 'Buy tea' }), await read({ 'todo.md': 'Buy rope' })]
    expect(one.records[0]!.key).not.toBe(two.records[0]!.key)
    expect(one.plans[0]!.connection).toBeUndefined()
  })

  it('do not lead out of their folder', async () => {
    const { records } = await read({
      'Notes/a.md': 'See ![x](../../secret.png) and [y](../Other/b.md)',
      'Other/b.md': 'Other notes',
      'secret.png': 'x',
    })
    expect(records.filter(({ data }) => data['target_id']).length).toBe(0)
    expect(records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data['is_missing'])).toEqual([
      true,
    ])
  })

  it('say that their front matter is broken, and keep it', async () => {
    const { records, items } = await read({ 'a.md': '---\ntitle: [open\n---\nText' })
    expect(records[0]!.data['text']).toBe('---\ntitle: [open\n---\nText')
    const problems = items.flatMap((item) => ('problem' in item ? [item.problem] : []))
    expect(problems.map(({ reason, kept }) => [reason.slice(0, 33), kept])).toEqual([
      ['has front matter that is not YAML', true],
    ])
  })

  it.each([
    ['orders.txt', 'id;item;price\n1;tea;2\n2;rope;3\n', false],
    ['letter.txt', 'Dear Ida,\nthe garden is green, and the rain, too.\n', true],
    ['card.txt', 'BEGIN:VCARD\nFN:Ida\nEND:VCARD\n', false],
    ['data.txt', '{"a": 1}', false],
    ['numbers.txt', '12 13 44 19\n1 2 3 4\n5 5 3 1\n', false],
    ['My Clippings.txt', 'A book (Moor, Ida)\n- Highlight\n\nThe sea is near.\n==========\n', false],
    ['README', '# Read me\n\nFirst.', true],
    ['script', '#!/bin/sh\necho', false],
    ['page.html', '# no', false],
    ['empty.md', '', true],
    ['empty.txt', '  \n', false],
  ])('%s is recognised by its content', async (name, text, isNote) => {
    expect((await markdown.detect(await candidate(memoryInput(name, text)))) !== undefined).toBe(isNote)
  })
})

importerBattery({
  importer: markdown,
  files: FILES,
  records: { notes: 4, links: 4, tasks: 2, attachments: 2 },
  seen: { notes: 4, attachments: 2 },
  // The format marks no end of a text.
  isOpenEnded: true,
})

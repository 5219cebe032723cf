import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { obsidian } from './importer.ts'

const FILES = {
  'Home/.obsidian/app.json': '{"promptDelete": false}',
  'Home/.obsidian/workspace.json': '{}',
  'Home/Journal/2026-04-03.md':
    'Met [[ida moor|Ida]] about the [[Boat]].\n\n![[boat.png]] ![[lost.pdf]]\n\n- [ ] Paint the [[Projects/Boat]]\n\n#plans/summer',
  'Home/People/Ida Moor.md':
    '---\naliases: [Ida]\ntags: person\n---\nLives in Norrhamn. See [[2026-04-03]] and [[#Below]].',
  'Home/Projects/Boat.md': '# The old boat\n\n`[[no link]]` %%a thought%% ![[Ida Moor]]',
  'Home/Archive/2024/Boat.md': 'An older note, [web](https://boats.example/).',
  'Home/Plan.canvas':
    '{"nodes":[{"type":"text","text":"First the hull"},{"type":"file","file":"Projects/Boat.md"},{"type":"link","url":"https://hull.example"}],"edges":[]}',
  'Home/Views.base': 'views: []',
  'Home/files/boat.png': Buffer.from('\u0089PNG a boat'),
  'Home/files/price list.txt': 'Hull paint 20, brushes 5',
}

it('a vault has its links, its tags and dated daily notes', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content))
  const { records, plans, coverage } = await readExport(obsidian, inputs)
  expect(plans.map(({ connection }) => connection?.name)).toEqual(['Obsidian: Home'])
  const titleOf = new Map(records.map(({ key, data }) => [key, data['path']]))
  const links = records.filter(({ stream, data }) => stream === 'links' && data['kind'] === 'note')
  expect(
    links
      .map(({ data }) => `${titleOf.get(String(data['note_id']))} > ${titleOf.get(String(data['target_id']))}`)
      .toSorted(),
  ).toEqual([
    'Journal/2026-04-03.md > People/Ida Moor.md',
    'Journal/2026-04-03.md > Projects/Boat.md',
    'Journal/2026-04-03.md > Projects/Boat.md',
    'People/Ida Moor.md > Journal/2026-04-03.md',
    'Plan.canvas > Projects/Boat.md',
    'Projects/Boat.md > People/Ida Moor.md',
  ])
  expect(records.find(({ data }) => data['title'] === '2026-04-03')?.data).toMatchObject({
    noted_at: '2026-04-03T00:00:00Z',
    tags: ['plans/summer'],
    folder: 'Journal',
    attachment_count: 2,
  })
  const files = records.filter(({ stream }) => stream === 'attachments')
  expect(files.map(({ data }) => [data['filename'], data['is_missing'], data['note_id'] === null])).toEqual([
    ['boat.png', false, false],
    ['lost.pdf', true, false],
    ['price list.txt', false, true],
  ])
  expect(files.at(-1)!.data['extracted_text']).toBe('Hull paint 20, brushes 5')
  expect(coverage.files).toEqual({ seen: 10, read: 7 })
})

it('a vault and a zip of it are one vault', async () => {
  const zipped = Object.entries(FILES).map(([name, content]) =>
    memoryInput(name.replace('Home/', 'Home.zip/'), content),
  )
  const plain = Object.entries(FILES).map(([name, content]) => memoryInput(name, content))
  const keys = async (...inputs: typeof plain) => (await readExport(obsidian, inputs)).records.map(({ key }) => key)
  expect(await keys(...plain, ...zipped)).toEqual(await keys(...plain))
  expect(await keys(...zipped, ...plain)).toEqual(await keys(...plain))
})

importerBattery({
  importer: obsidian,
  files: FILES,
  records: { notes: 5, links: 8, tasks: 1, attachments: 3 },
  seen: { notes: 5, attachments: 3 },
  leftOut: [
    ['file', 'settings of Obsidian', 2],
    ['file', 'a view of other notes', 1],
  ],
  damaged: 'Home/Journal/2026-04-03.md',
  isOpenEnded: true,
})

// Checks that every scenario has a test, that tests cite only known requirements, and that no test cites an open one.
import { expect, test } from 'vitest'
import { allClaims, claimsIn } from './citations.ts'
import { requirements } from './requirements.ts'

/** Numbers of the last settled point and of the last item of the checklist. */
const LAST_POINT = 44
const LAST_CHECKLIST_ITEM = 32

const ids = requirements.map(({ id }) => id)
const scenarios = requirements.filter(({ kind }) => kind === 'scenario')
const claims = allClaims()

function isKnown(citation: string): boolean {
  const [, kind, number] = /^(point|checklist) ([1-9]\d*)$/.exec(citation) ?? []
  if (kind === undefined) return ids.includes(citation)
  return Number(number) <= (kind === 'point' ? LAST_POINT : LAST_CHECKLIST_ITEM)
}

test('the manifest names every requirement and scenario once', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(scenarios).toHaveLength(93)
  for (const { id, kind, title, behaviour, open } of requirements) {
    expect(id).toMatch(kind === 'requirement' ? /^00\d\.\d+$/ : /^00\d\.\d+\.\d+$/)
    expect(ids).toContain(id.split('.', 2).join('.'))
    expect(title && behaviour && (open ?? 'closed')).toMatch(/\S/)
  }
})

test('tests cite only known requirements, points and items', () => {
  const unknown = claims.flatMap(({ file, title, citations }) =>
    citations.filter((citation) => !isKnown(citation)).map((citation) => `${file} cites ${citation}: ${title}`),
  )
  expect(unknown).toEqual([])
  expect(['003.19.1', '003.19', 'point 44', 'checklist 32'].filter((citation) => !isKnown(citation))).toEqual([])
  expect(['003.19.99', '002.1', 'point 0', 'point 45', 'checklist 33', 'a point 1'].filter(isKnown)).toEqual([])
})

test('no title has a requirement id, because ids are arguments', () => {
  expect(claims.filter(({ title }) => /(?<![\w.])00\d\.\d+(?![\w])/.test(title))).toEqual([])
})

test('only the citations of a call count', () => {
  const source = `
    // verifies('000.1.2', 'in a comment', () => {})
    test('000.1.1 in a title', () => expect("verifies('000.2.1', 'quoted')").toBe('000.3.1'))
    verifies('000.4.1', '"quoted", one path', () => {}) // as 003.19.5
    for (const one of all) verifies(['004.2', 'point 7'], "many", () => {})
    verifies.each(
      [
        '003.1.1',
        'checklist 4',
      ],
      [['000.2.1']],
    )(\`a table\`, () => {})
    verifies.group('001.1', 'a group', () => {})`
  expect(claimsIn('one.test.ts', source)).toMatchObject([
    { title: '"quoted", one path', citations: ['000.4.1'] },
    { title: 'many', citations: ['004.2', 'point 7'] },
    { citations: ['003.1.1', 'checklist 4'] },
    { title: 'a group', citations: ['001.1'] },
  ])
})

test.each(['verifies(id, "a")', "verifies([...ids, '000.1'], 'a')", "verifies(`000.1`, 'a')"])(
  '%s is refused',
  (call) => {
    expect(() => claimsIn('one.test.ts', `\n${call}`)).toThrow('one.test.ts:2 cites something that is not a literal')
  },
)

test('every scenario has a test, and no test cites an open one', () => {
  const proved = new Set(claims.flatMap(({ citations }) => citations))
  expect(scenarios.filter(({ id, open }) => !open && !proved.has(id)).map(({ id }) => id)).toEqual([])
  const openIds = scenarios.filter(({ open }) => open).map(({ id }) => id)
  expect(openIds.filter((id) => proved.has(id))).toEqual([])
  console.log(`scenarios: ${scenarios.length}, of which ${scenarios.length - openIds.length} have a test`)
  for (const { id, kind, title, open } of requirements)
    if (open) console.log(`open: ${id} ${title}${kind === 'requirement' ? ' (a part of it)' : ''}: ${open}`)
})

import type { Importer, ImportInput, ImportItem, InputTree, ReadTally } from '../../importer.ts'
import { namedFiles } from '../../models/note/note-files.ts'
import { eachOnce } from '../../models/note/once.ts'
import { type Note, type NoteLink, noteItems } from '../../models/note/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, readAll } from '../../reading/input-bytes.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { detectEncoding } from '../../reading/text-encoding.ts'
import { textsOf } from '../../text/markdown.ts'
import { notionDeclaration } from './declaration.ts'
import { commonFolder, folderTitles, idInName, titleInName } from './names.ts'
import { htmlPage, markdownPage, type NotionPage, pageTimes } from './page.ts'
import { rowItems } from './rows.ts'

const MAX_PAGE_BYTES = 32_000_000

const OTHER_PAGE = 'has the id of a page that was imported, with another text; import one export at a time'

/** Imports exports of Notion: pages as Markdown or HTML, databases as CSV. */
export const notion: Importer = {
  id: 'notion',
  name: 'Notion',
  kind: 'notes',
  reads: 'the zip of an export as Markdown and CSV, or as HTML, with subpages and files',

  async detect({ input, head: { text }, files }) {
    const path = treePath(input.name)
    if (text === undefined || kindOf(path, text) === undefined) return
    // The files of a page are in a folder with the page's name, with or without its id.
    const folder = folderOf(path)
    const own = [path.replace(/\.\w+$/, ''), `${folder === '' ? '' : `${folder}/`}${titleInName(path)}`]
    const beside = own.flatMap((place) =>
      files.below(place).filter(({ name }) => {
        const below = treePath(name)
        return folderOf(below) === place && !/\.(md|csv|html)$/i.test(below)
      }),
    )
    return { format: 'notion', inputs: [input, ...new Set(beside)], group: 'notion' }
  },

  async streams(claim, overrides, known) {
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration: notionDeclaration, zone, read: notion.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const tree = new FileTree(inputs)
    const ordered = await eachOnce(inputs, tally)
    const pages = new Map(
      ordered.flatMap(({ name }) => {
        const [path, id] = [treePath(name), idInName(name)]
        return id !== undefined && /\.(md|html)$/i.test(path) ? [[`${folderOf(path)}/${titleInName(path)}`, id]] : []
      }),
    )
    const seen = new SeenKeys()
    // The top folder has a different name in every export.
    const root = commonFolder(ordered.map(({ name }) => treePath(name)))
    for (const input of ordered) {
      const path = treePath(input.name)
      if (/(?:^|\/)index\.html$/.test(path)) tally.leftOutFile(input, 'a list of the pages')
      else if (/\.(md|html)$/i.test(path))
        yield* failuresAsProblems(pageItems(input, { tree, zone, root, seen }, tally), input)
      else if (!/\.csv$/i.test(path)) continue
      else if (tree.get(path.replace(/\.csv$/i, '_all.csv')))
        tally.leftOutFile(input, 'the same rows as in the file _all.csv')
      else yield* failuresAsProblems(rowItems(input, pages, zone, tally), input)
    }
  },
}

/** Recognises the kind by the id in the name, or by the markup that Notion writes into a page. */
function kindOf(path: string, text: string): 'page' | 'rows' | 'index' | undefined {
  if (/\.html$/i.test(path)) {
    if (/<article id="[0-9a-f-]{36}" class="page /.test(text)) return 'page'
    return text.includes('<p>Workspace identifier: ') ? 'index' : undefined
  }
  if (idInName(path) === undefined) return
  return /\.md$/i.test(path) ? 'page' : /\.csv$/i.test(path) ? 'rows' : undefined
}

interface PageFolder {
  readonly tree: InputTree
  readonly zone: string | undefined
  readonly root: string
  readonly seen: SeenKeys
}

async function* pageItems(
  input: ImportInput,
  { tree, zone, root, seen }: PageFolder,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name }
  const path = treePath(input.name)
  tally.saw('notes')
  const all = await readAll(input, MAX_PAGE_BYTES)
  if ('tooLarge' in all) {
    const reason = `has ${all.tooLarge} bytes; a page has at most ${MAX_PAGE_BYTES}`
    yield { problem: { place, reason, kind: 'notes', kept: false } }
    return
  }
  const text = new TextDecoder(detectEncoding(all.bytes)).decode(all.bytes)
  const page = /\.html$/i.test(path) ? htmlPage(text) : markdownPage(text)
  const id = idInName(path) ?? page.id
  if (id === undefined) {
    yield { problem: { place, reason: 'is a page without an id', kind: 'notes', kept: false } }
    return
  }
  const known = seen.meet(id, all.bytes.toString('latin1'))
  if (known === 'same') return tally.leftOut('notes', 'copies of a page that was imported')
  if (known === 'other') return yield { problem: { place, reason: OTHER_PAGE, kind: 'notes', kept: false } }
  const { links, files } = resolved(page, input, tree)
  const note = noteOf(id, path.slice(root === '' ? 0 : root.length + 1), page, links, files.length, zone)
  yield* noteItems(note, place)
  yield* namedFiles(note, files, input, tally)
}

/** Divides the paths in a page into links to pages and databases, which have an id, and files. */
function resolved(page: NotionPage, input: ImportInput, tree: InputTree) {
  const links = new Map<string, NoteLink>()
  const files = new Map<string, { name: string; key: string; input: ImportInput | undefined }>()
  for (const { path, label } of page.paths) {
    if (/\.(md|html|csv)$/i.test(path)) {
      const isPage = !/\.csv$/i.test(path)
      const target = titleInName(path)
      links.set(path, { kind: isPage ? 'note' : 'file', target, label, targetId: isPage ? idInName(path) : undefined })
    } else if (/\.\w{1,8}$/.test(path)) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      files.set(path, { name, key: name, input: tree.near(input, path) })
    }
  }
  return { links: [...page.links, ...links.values()], files: [...files.values()] }
}

function noteOf(
  id: string,
  path: string,
  page: NotionPage,
  links: NoteLink[],
  fileCount: number,
  zone: string | undefined,
): Note {
  const title = page.title ?? titleInName(path)
  const { Tags: tags, ...properties } = page.properties
  return {
    id,
    title,
    text: page.text,
    folder: folderTitles(path),
    path,
    tags: textsOf(tags),
    author: properties['Created by'],
    ...pageTimes(title, properties, zone),
    url: properties['URL'],
    links,
    tasks: page.tasks,
    properties,
    fileCount,
  }
}

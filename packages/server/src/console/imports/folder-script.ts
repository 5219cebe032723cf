import { SKIPPED_FILES } from '@pdpp/importers'

/** Max. depth of folders. Deeper ones are probably a loop of links. */
const MAX_DEPTH = 32

/** Collects the files of dropped or chosen folders with their paths. Throws a message if there are too many. */
export const FOLDER_SCRIPT = `
  const skipped = new RegExp(${JSON.stringify(SKIPPED_FILES.source)}, 'i')
  const tooMany = (max) => new Error('There are more than ' + max.toLocaleString('en') + ' files. Make a zip of the folder and send that.')

  /** Sorts the files. Leaves out the folder tmp of a Maildir, because its mails are incomplete. */
  const importable = (found, max) => {
    const maildirs = new Set(found.flatMap(({ path }) => /^(.*\\/)cur\\/[^/]+$/.exec(path)?.[1] ?? []))
    const kept = found.filter(({ path }) => !skipped.test(path) && !maildirs.has(/^(.*\\/)tmp\\/[^/]+$/.exec(path)?.[1]))
    if (kept.length > max) throw tooMany(max)
    return kept.sort((a, b) => (a.path < b.path ? -1 : 1))
  }
  const filesOfFolder = (files, max) => importable([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })), max)

  /** The files that were dropped, and all files in the dropped folders. */
  const filesOfEntries = async (entries, max) => {
    const found = []
    const promised = (work) => new Promise(work)
    const walk = async (entry, path, depth) => {
      if (entry.isFile) {
        found.push({ file: await promised((done, fail) => entry.file(done, fail)), path })
        if (found.length > max) throw tooMany(max)
        return
      }
      if (depth > ${MAX_DEPTH}) throw new Error('“' + entry.name + '” is more than ${MAX_DEPTH} folders deep. Send the inner folders instead.')
      const reader = entry.createReader()
      for (let batch; (batch = await promised((done, fail) => reader.readEntries(done, fail))).length > 0; )
        for (const inner of batch) {
          const name = path + '/' + inner.name
          if (!skipped.test(inner.isFile ? name : name + '/')) await walk(inner, name, depth + 1)
        }
    }
    for (const entry of entries)
      try {
        await walk(entry, entry.name, 1)
      } catch (error) {
        throw error instanceof DOMException ? new Error('“' + entry.name + '” can’t be read.') : error
      }
    return importable(found, max)
  }
`

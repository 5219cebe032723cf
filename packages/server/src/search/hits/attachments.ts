import type { StreamDeclaration } from '@pdpp/protocol'
import { blobPaths, blobReferences, declaredFields } from '@pdpp/protocol/reading'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'

type AttachmentKind = 'image' | 'video' | 'audio' | 'file'

/** The pictures and other files of a record. Without a count, it is only known that there are some. */
export interface Attachments {
  readonly count?: number
  readonly kind: AttachmentKind
}

interface FileField {
  readonly name: string
  readonly kind: AttachmentKind
}

/** Usual names of fields that count files, tell that there are some, list them, or refer to one. */
const NAMES =
  /^(?:has_?)?(attachment|file|media|photo|image|img|picture|video|audio|voice)(?:s|_?(?:message|note))?(?:_?(?:count|url|uri|path|ref)s?)?$/i
const KINDS: Readonly<Record<string, AttachmentKind>> = {
  photo: 'image',
  image: 'image',
  img: 'image',
  picture: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
}

const known = new WeakMap<StreamDeclaration, readonly FileField[]>()

/** Looks only at fields that the scope includes. */
export function attachmentsOf(scope: ReadScope, data: Readonly<Record<string, unknown>>): Attachments | undefined {
  const visible = (field: string) => includesField(scope.usable, field)
  const named = fileFields(scope.stream)
    .filter(({ name }) => visible(name))
    .flatMap(({ name, kind }) => saidBy(data[name], kind))
  const blobs = blobReferences(blobPaths(scope.stream), data).filter(({ field }) => visible(field))
  const kinds = [...named.map(({ kind }) => kind), ...blobs.map(({ members }) => kindOf(members['mime_type']))]
  if (kinds.length === 0) return
  const count = Math.max(blobs.length, ...named.map((one) => one.count ?? 0))
  // A field of pictures is more specific than a field of files, so its kind is preferred.
  const special = new Set(kinds.filter((kind) => kind !== 'file'))
  const kind = special.size === 1 ? [...special][0]! : 'file'
  return count === 0 ? { kind } : { count, kind }
}

function fileFields(stream: StreamDeclaration): readonly FileField[] {
  const found = known.get(stream)
  if (found) return found
  const blobFields = new Set(blobPaths(stream).map(([field]) => field))
  const fields = [...declaredFields(stream).keys()].flatMap((name) => {
    const word = NAMES.exec(name)?.[1]
    return word === undefined || blobFields.has(name) ? [] : [{ name, kind: KINDS[word.toLowerCase()] ?? 'file' }]
  })
  known.set(stream, fields)
  return fields
}

function saidBy(value: unknown, kind: AttachmentKind): Attachments[] {
  if (value === true) return [{ kind }]
  const count =
    typeof value === 'number'
      ? value
      : Array.isArray(value)
        ? value.length
        : typeof value === 'string'
          ? Math.sign(value.trim().length)
          : Number(typeof value === 'object' && value !== null)
  return Number.isSafeInteger(count) && count > 0 ? [{ count, kind }] : []
}

function kindOf(mimeType: unknown): AttachmentKind {
  const [type] = typeof mimeType === 'string' ? mimeType.split('/') : []
  return type === 'image' || type === 'video' || type === 'audio' ? type : 'file'
}

import { blobPaths, blobReferences, type StreamDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import { mediaType } from '../../blobs/media-type.ts'
import { count } from './dates.ts'
import { type Markup, untrustedText } from './untrusted-text.ts'

/** Image types that cannot contain a script. */
export const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Max. bytes of a picture that the page shows; larger ones are only linked. */
const PICTURE_BYTES = 20_000_000
const MAX_FILES = 100

/** A file that a record refers to, and the address where the owner downloads it. */
export interface FileLink {
  readonly field: string
  readonly mimeType: string
  readonly sizeBytes: number | undefined
  readonly href: string
}

/** `page` is the path of the record's page. The same access rules apply to a file and to its record. */
export function fileLinks(
  stream: StreamDeclaration,
  data: Readonly<Record<string, unknown>>,
  page: string,
  as: string | undefined,
): FileLink[] {
  return blobReferences(blobPaths(stream), data)
    .slice(0, MAX_FILES)
    .map(({ field, path, members }) => ({
      field,
      mimeType: mediaType(members['mime_type']),
      sizeBytes: typeof members['size_bytes'] === 'number' ? members['size_bytes'] : undefined,
      href: `${page}/file?${new URLSearchParams({ ...(as === undefined ? {} : { as }), path })}`,
    }))
}

/** The type and size of a file, with a download link. */
export function fileLine({ mimeType, sizeBytes, href }: FileLink): Markup {
  const size = sizeBytes === undefined ? '' : `, ${count(sizeBytes)} bytes`
  return html`<p class="small quiet file">${untrustedText(mimeType, 60)}${size} · <a href="${href}" download>Download</a></p>`
}

/** Like `fileLine`, and shows the file if it is a picture. */
export function fileBlock(file: FileLink): Markup {
  const isShown = PICTURES.has(file.mimeType) && (file.sizeBytes ?? Number.POSITIVE_INFINITY) <= PICTURE_BYTES
  if (!isShown) return fileLine(file)
  return html`<div class="value"><img src="${file.href}" alt="The picture in this field" loading="lazy"></div>${fileLine(file)}`
}

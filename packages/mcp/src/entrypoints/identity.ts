import packageJson from '../../package.json' with { type: 'json' }
import type { AnyEntrypoint } from '../calling/entrypoint.ts'

export interface Identity {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly icons?: { src: string; mimeType: string; sizes: string[] }[]
}

export const { version: VERSION } = packageJson

/** A hosted server has its icon at its own address (003.17). A local process has none. */
export function identity({ name, title }: AnyEntrypoint, origin?: string): Identity {
  const icons = [{ src: `${origin}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }]
  return { name, title, version: VERSION, ...(origin === undefined ? {} : { icons }) }
}

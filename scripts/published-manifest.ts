import { bundledName } from './bundle.ts'

/** The members of a package.json that are changed for publishing. All others are kept. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** The package.json of a published package. It points to compiled files and is not private. */
export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const { private: _private, exports, ...rest } = manifest
  const compiledExports = Object.entries(exports).map(([name, source]) => [name, compiled(source)] as const)
  return {
    ...rest,
    exports: { ...Object.fromEntries(compiledExports), './package.json': './package.json' },
    types: compiled(exports['.']!).types,
    files: ['dist', ...(manifest.bin ? ['bin'] : [])],
    publishConfig: { access: 'public' },
  }
}

function compiled(source: string): { types: string; default: string } {
  const stem = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1]
  if (stem === undefined) throw new Error(`exports: "${source}" is not a file below ./src.`)
  return { types: `./dist/types/${stem}.d.ts`, default: `./dist/${bundledName(stem)}.js` }
}

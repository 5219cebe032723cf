/** What a package.json of the workspace says; the rest of it is kept as it is. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** The package.json of the tarball: sources become what was made of them, and it may be published. */
export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const { private: _kept, exports, ...rest } = manifest
  const places = Object.entries(exports).map(([name, source]) => [name, compiled(source)] as const)
  return {
    ...rest,
    exports: { ...Object.fromEntries(places), './package.json': './package.json' },
    types: compiled(exports['.']!).types,
    files: ['dist', ...(manifest.bin ? ['bin'] : [])],
    publishConfig: { access: 'public' },
  }
}

function compiled(source: string): { types: string; default: string } {
  const stem = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1]
  if (stem === undefined) throw new Error(`exports: "${source}" is not a file below ./src.`)
  return { types: `./dist/${stem}.d.ts`, default: `./dist/${stem}.js` }
}

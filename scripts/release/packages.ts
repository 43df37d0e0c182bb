/** The part of the output of `bun build --metafile` that is needed here. */
export interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Names of npm packages whose files are in the executable, sorted. */
export function packagesIn(...metafiles: readonly Metafile[]): readonly string[] {
  const bundled = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  return [...new Set([...bundled, ...made])].sort()
}

/** Packages from which files in `dist` or `src` are made beforehand: assets, the default catalogue, tables. */
const made = [
  '@kawaiioverflow/arm',
  '@zxcvbn-ts/language-common',
  'anime-sachedule-search-data',
  'bangumi-data',
  'bgmd',
  'kuromoji',
  'opencc-js',
  'swagger-ui-dist',
]

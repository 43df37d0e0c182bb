import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/**
 * Gives files and lines of the source, even in the executable, whose source maps `scripts/source-maps.ts` packed. Leaves
 * out its minified function names.
 */
export const stackOf = ({ stack, message }: Error): string =>
  (stack ?? message).replaceAll(
    /(?:(?:new )?[^\s()]+ \()?\/\$bunfs\/root\/([^\s():]+):(\d+):(\d+)\)?/g,
    placeInSource,
  )

const path = '/$bunfs/root/source-maps.zst'

let maps: ReadonlyMap<string, SourceMap> | undefined

function placeInSource(place: string, file: string, line: string, column: string): string {
  maps ??= readMaps()
  const found = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (found === undefined || !('originalSource' in found)) return place
  return `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`
}

/** Takes 10 ms, at the first unexpected error. */
function readMaps(): ReadonlyMap<string, SourceMap> {
  if (!existsSync(path)) return new Map()
  const packed = JSON.parse(Bun.zstdDecompressSync(readFileSync(path)).toString())
  return new Map(Object.entries(packed).map(([file, map]) => [file, new SourceMap(map as never)]))
}

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../src/sources/adapters/kiroku/manifest'

export interface PackWork {
  readonly type: 'work'
  readonly key: string
  readonly ids: Readonly<Record<string, string | number>>
  readonly title: string
  readonly season_name?: string
  readonly episodes_estimate?: number
}

export interface Pack {
  /** What is compared: lines of works with a title, by key. */
  readonly works: ReadonlyMap<string, PackWork>
  /** Undefined where there is none beside the file. */
  readonly version: string | undefined
  /** Of the file, where it is one. */
  readonly path: string | undefined
}

/** A pack file, or the newest one of a folder as its `catalogue.json` tells. */
export async function readPack(place: string): Promise<Pack> {
  const manifestPath = join(place, 'catalogue.json')
  if (!statSync(place).isDirectory()) return { ...packOf(await linesIn(place)), path: place }
  if (!existsSync(manifestPath)) throw new Error(`${place} has no catalogue.json`)
  const { file, version }: Manifest = await Bun.file(manifestPath).json()
  const path = join(place, file)
  return { ...packOf(await linesIn(path)), version, path }
}

export function packOf(lines: readonly object[]): Pack {
  const works = lines.filter(isWork).map((line) => [line.key, line] as const)
  return { works: new Map(works), version: undefined, path: undefined }
}

const isWork = (line: object): line is PackWork => 'type' in line && line.type === 'work' && 'title' in line

async function linesIn(path: string): Promise<object[]> {
  const bytes = await Bun.file(path).bytes()
  const text = new TextDecoder().decode(path.endsWith('.zst') ? Bun.zstdDecompressSync(bytes) : bytes)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

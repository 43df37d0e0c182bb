import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PackManifest } from '../../src/sources/adapters/kiroku/manifest'

export interface PackWork {
  readonly type: 'work'
  readonly key: string
  readonly ids: Readonly<Record<string, string | number>>
  readonly title: string
  readonly season_name?: string
  readonly episodes_estimate?: number
}

export interface Pack {
  /** What is compared: works with a title, by key. */
  readonly works: ReadonlyMap<string, PackWork>
  /** Undefined unless a `catalogue.json` names it. */
  readonly version: string | undefined
  /** Undefined if it was not read from a file. */
  readonly path: string | undefined
}

/** Reads a pack file, or a folder's newest one according to its `catalogue.json`. */
export async function readPack(place: string): Promise<Pack> {
  const manifestPath = join(place, 'catalogue.json')
  if (!statSync(place).isDirectory()) return { ...packOf(await linesIn(place)), path: place }
  if (!existsSync(manifestPath)) throw new Error(`${place} has no catalogue.json`)
  const { file, version }: PackManifest = await Bun.file(manifestPath).json()
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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HeaderLine } from '../../db/catalogue/header'
import { isLower, packFormat } from '../../src/sources/adapters/kiroku/manifest'
import { lastSeason } from './guard-rails'
import { packOf } from './packs'
import { signed } from './sign'

export interface Published {
  readonly lines: readonly object[]
  /** The compressed lines. */
  readonly packed: Uint8Array
  /** `YYYY-MM-DD` */
  readonly date: string
  /** Version of the last pack. */
  readonly lastVersion: string | undefined
  readonly key: CryptoKey | undefined
}

/** Writes the pack, its NOTICE and, given a key, its manifest. Returns the names. */
export async function writePack(out: string, published: Published): Promise<string[]> {
  const { lines, packed, date, lastVersion, key } = published
  const file = `catalogue-${date}.jsonl.zst`
  await Bun.write(join(out, file), packed, { createPath: true })
  await Bun.write(join(out, 'NOTICE'), noticeOfCatalogue())
  if (key === undefined) return [file, 'NOTICE']
  const pack = packOf(lines)
  const [header] = lines.filter(isHeader)
  const manifest = {
    format: packFormat,
    version: nextVersion(date, lastVersion),
    date,
    file,
    size: packed.length,
    sha256: new Bun.CryptoHasher('sha256').update(packed).digest('hex'),
    works: pack.works.size,
    until: lastSeason(pack),
    sources: header?.sources.map(({ id, rev, license }) => ({ id, version: rev, license })) ?? [],
  } as const
  await Bun.write(join(out, 'catalogue.json'), `${JSON.stringify(await signed(manifest, key), null, 1)}\n`)
  return [file, 'NOTICE', 'catalogue.json']
}

const isHeader = (line: object): line is HeaderLine => 'type' in line && line.type === 'catalogue'

/** The version for a date; the day's second one ends in `.1`. Throws if the last pack has a later date. */
export function nextVersion(date: string, last: string | undefined): string {
  const version = date.split('-').map(Number).join('.')
  if (last === undefined || isLower(last, version)) return version
  if (last !== version && !last.startsWith(`${version}.`)) throw new Error(`the last pack, ${last}, is newer`)
  return `${version}.${Number(last.slice(version.length + 1)) + 1}`
}

/** What NOTICE says about the default catalogue. */
export function noticeOfCatalogue(): string {
  const [notice = ''] = readFileSync('NOTICE', 'utf8').split(
    /^(?:Data that is not in|The executable also contains)/m,
  )
  return `${notice.trimEnd()}\n`
}

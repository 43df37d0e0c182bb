import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { addressKey, keyKinds } from '../keys/keys'
import { beginningWith } from './candidates'
import { type Hits, scores } from './scores'

/** Finds a work by id (`mal:52991`), a service's URL or its own site. Returns whether the text is one of these. */
export async function findByAddress(read: Read, text: string, hits: Hits): Promise<boolean> {
  const named = idIn(text.trim())
  if (named !== undefined) {
    for (const { row } of await worksNamed(read, named)) hits.add(row, scores.exact)
    return true
  }
  const key = /^https?:\/\//i.test(text.trim()) ? addressKey(text) : ''
  if (key === '') return false
  for (const { row, kind } of await beginningWith('works')(read, { key, end: `${key}\0` }))
    if (kind === keyKinds.address) hits.add(row, scores.exact)
  return true
}

interface SiteId {
  readonly ns: string
  readonly id: string
}

/** Undefined if the text is not an id or URL. */
export function idIn(text: string): SiteId | undefined {
  for (const [ns, form] of forms) {
    const [, id] = form.exec(text) ?? []
    if (id !== undefined) return { ns, id }
  }
  const [, ns = '', id = ''] = /^([a-z]+):([1-9]\d{0,14}|tv\/\d{1,15}|movie\/\d{1,15})$/i.exec(text) ?? []
  const service = names.get(ns.toLowerCase())
  return service === undefined ? undefined : { ns: service, id }
}

const address = (rest: string) =>
  new RegExp(`^(?:https?://)?(?:www\\.)?${rest}([1-9]\\d{0,14})(?![\\d])`, 'i')

const forms: readonly (readonly [ns: string, form: RegExp])[] = [
  ['annict', address('(?:[a-z]+\\.)?annict\\.(?:com|jp)/works/')],
  ['mal', address('myanimelist\\.net/anime/')],
  ['anilist', address('anilist\\.co/anime/')],
  ['anidb', address('anidb\\.net/(?:anime/|a|perl-bin/animedb\\.pl\\?show=anime&aid=)')],
  ['syobocal', address('cal\\.syoboi\\.jp/tid/')],
  ['bangumi', address('(?:bgm\\.tv|bangumi\\.tv|chii\\.in)/subject/')],
]

const names = new Map([
  ...['annict', 'mal', 'anilist', 'anidb', 'syobocal', 'bangumi', 'tmdb'].map((name): [string, string] => [
    name,
    name,
  ]),
  ['myanimelist', 'mal'],
  ['syoboi', 'syobocal'],
  ['bgm', 'bangumi'],
])

// uses the primary key of external_ids
const worksNamed = preparedSql<{ row: number }, { ns: string; id: string }>(
  (slot) => sql`
    select local_id as row from external_ids
    where kind = 'work' and ns = ${slot('ns')} and external_id = ${slot('id')}`,
)

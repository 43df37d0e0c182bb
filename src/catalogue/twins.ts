import type { Database } from 'bun:sqlite'
import { handleOf } from '../db/dialect'
import { inPieces, pausingRunner } from '../db/in-pieces'
import type { Deps } from '../deps'
import { fold } from '../lib/fold'
import { quarters } from './season'
import { bareTitle } from './title-key'

interface TwinTitle {
  readonly id: number
  readonly title: string
  readonly media: string
  readonly year: number | null
  readonly season: string | null
}

/** At most this many pairs, and so many of one title: a catalogue in which all works are called the same is possible. */
const mostPairs = 2000
const mostOfTitle = 20

/**
 * Keeps in `twin_works` the pairs of shown works that look like one: titles that differ in notation at most or in words for the
 * medium, of the same medium or both not on television, a season apart, or a year if the titles are equal. Pairs that a person
 * said are not the same stay so. For `inPieces`: reads a few thousand titles at a time.
 */
export function* storeTwins(handle: Database, now: number, isOver: () => boolean): Generator<void, void> {
  const byTitle = new Map<string, TwinTitle[]>()
  for (let after = 0; ; ) {
    const some = handle.query<TwinTitle, [number]>(someTitles).all(after)
    const last = some.at(-1)
    if (last === undefined) break
    for (const work of some) {
      const key = bareTitle(work.title)
      const alike = byTitle.get(key)
      if (alike === undefined) byTitle.set(key, [work])
      else alike.push(work)
    }
    after = last.id
    if (isOver()) yield
  }
  const pairs = [...byTitle.values()].flatMap(pairsOf)
  handle.query(keepPairs).run(JSON.stringify(pairs.slice(0, mostPairs)), now)
  handle.query(dropPairs).run(JSON.stringify(pairs.slice(0, mostPairs)))
}

// uses the primary key
const someTitles = `
  select id, title, media, season_year as year, season from works where id > ? and hidden = 0 order by id limit 1000`

/** The lower id first; the first pairs of a title that too many works have. */
function pairsOf(works: readonly TwinTitle[]): [number, number][] {
  const pairs: [number, number][] = []
  for (const [at, one] of works.entries())
    for (const other of works.slice(at + 1)) {
      if (areAlike(one, other)) pairs.push([one.id, other.id])
      if (pairs.length === mostOfTitle) return pairs
    }
  return pairs
}

function areAlike(one: TwinTitle, other: TwinTitle): boolean {
  const areOfKind = one.media === other.media || (one.media !== 'tv' && other.media !== 'tv')
  if (!areOfKind) return false
  if (one.year === null || other.year === null) return plain(one.title) === plain(other.title)
  if (Math.abs(one.year - other.year) > 1) return false
  return plain(one.title) === plain(other.title) || seasonsBetween(one, other) <= 1
}

const plain = (title: string) => fold(title).replace(/\s/gu, '')

/** A work of which only the year is known may be of any season. */
function seasonsBetween(one: TwinTitle, other: TwinTitle): number {
  if (one.season === null || other.season === null) return one.year === other.year ? 0 : 4
  return Math.abs(quarterOf(one) - quarterOf(other))
}

const quarterOf = ({ year, season }: TwinTitle) => (year ?? 0) * 4 + quarters.indexOf(season ?? '')

const keepPairs = `
  insert into twin_works (work_id, other_id, found_at)
  select value ->> 0, value ->> 1, ?2 from json_each(?1) where true on conflict do nothing`

const dropPairs = `
  delete from twin_works where is_denied = 0
    and (work_id, other_id) not in (select value ->> 0, value ->> 1 from json_each(?))`

/** The twins again, if a title changed since they were looked for. */
export async function refreshTwins({
  read,
  write,
  now,
}: Pick<Deps, 'read' | 'write' | 'now'>): Promise<void> {
  const last = await read
    .selectFrom('catalogue_changes')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const known = await read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', seenMark)
    .executeTakeFirst()
  const seen = Number(known?.value ?? 0)
  if (last === undefined || last.id <= seen) return
  const titled = await read
    .selectFrom('catalogue_change_fields')
    .select('change_id')
    .where('change_id', '>', seen)
    .where('kind', '=', 'work')
    .where('field', 'in', ['*', 'title', 'media', 'season_year', 'season', 'hidden'])
    .limit(1)
    .execute()
  const handle = await write(async (tx) => handleOf(tx))
  if (titled.length > 0) await inPieces(pausingRunner(write), (isOver) => storeTwins(handle, now(), isOver))
  await write((tx) => {
    const row = { name: seenMark, value: String(last.id) }
    return tx
      .insertInto('instance')
      .values(row)
      .onConflict((one) => one.doUpdateSet(row))
      .execute()
  })
}

/** In `instance`: the last change of the catalogue whose title is among those compared. */
const seenMark = 'twins_seen'

import { sql } from 'kysely'
import type { Read } from '../../db/open'
import type { SlotOf } from '../../db/prepared'
import { pieceOfWork } from '../../lib/turns'
import { wordsOf } from './keys/keys'
import { perKind } from './per-kind'
import type { SearchKind } from './texts'
import { preferSameMarks } from './ways/as-written'
import { findByAddress } from './ways/by-address'
import { findBySeason } from './ways/by-season'
import { findBySomeWords, findByWords } from './ways/by-words'
import { findByYear } from './ways/by-year'
import { raiseFirstParts } from './ways/first-parts'
import { findNeighbours } from './ways/neighbours'
import { findNamed } from './ways/nicknames'
import { endsInShortWord, findByPieces } from './ways/pieces'
import { Hits, scores } from './ways/scores'
import { siblingsOf } from './ways/siblings'
import { findTypos, findTyposInside } from './ways/typos'

/**
 * Ids of visible rows, at most 1,000, best first unless `isRanked` is false. A row's texts have keys for spelling and for
 * sound (`keys`); each of `ways` looks rows up by the keys of the text and scores them. Less certain ways run only if
 * there are no better hits. Each runs as a piece of work, as some take long.
 */
export async function findRows(
  read: Read,
  kind: SearchKind,
  text: string,
  isRanked = true,
): Promise<readonly number[]> {
  const hits = new Hits()
  const isAddress = kind === 'works' && (await findByAddress(read, text, hits))
  if (!isAddress) await findByText(read, kind, text, hits)
  return await pieceOfWork(() => ranked(read, kind, hits, isRanked))
}

async function findByText(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  await pieceOfWork(() => findNamed(read, kind, text, hits))
  const isNamed = hits.best >= scores.beginning
  if (kind === 'works') {
    await pieceOfWork(() => findBySeason(read, text, hits))
    if (await findByYear(read, text, hits, (base, found) => findByText(read, kind, base, found))) return
  }
  const search = (way: Way) => pieceOfWork(() => way(read, kind, text, hits))
  if (!isNamed) await search(findByWords)
  const isGood = hits.best >= scores.inside - scores.name - scores.sound
  if (!isGood || (!isNamed && endsInShortWord(text))) await search(findByPieces)
  if (hits.best < scores.words) await search(findApart)
  if (hits.best < scores.words) await search(findTypos)
  if (hits.best === 0) {
    await search(findBySomeWords)
    await search(findTyposInside)
    await search(findNeighbours)
  }
  if (kind === 'works') await pieceOfWork(() => completeWorks(read, text, hits))
}

type Way = typeof findByWords

async function completeWorks(read: Read, text: string, hits: Hits): Promise<void> {
  await raiseFirstParts(read, hits)
  await preferSameMarks(read, text, hits)
  for (const [row, score] of await siblingsOf(read, hits)) hits.add(row, score)
}

/** 鬼滅むげんれっしゃ and けいおん映画: searches as if there were spaces between scripts. */
async function findApart(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  const apart = wordsOf(text).join(' ')
  if (!apart.includes(' ') || apart === text) return
  if (kind === 'works') await findBySeason(read, apart, hits)
  await findByWords(read, kind, apart, hits)
}

/**
 * Visible rows by score; unordered unless `isRanked`, since ranking takes longer than the look-up. Works with equal scores
 * are ordered by series, the most popular first, and within a series by `orders`, after the part that began it.
 */
async function ranked(
  read: Read,
  kind: SearchKind,
  hits: Hits,
  isRanked: boolean,
): Promise<readonly number[]> {
  if (hits.best === 0) return []
  const query = isRanked || hits.size > mostRanked ? rankedRows : shownRows
  return (await query(kind)(read, { hits: hits.toJson(), limit: mostRanked })).map(({ id }) => id)
}

const orders = {
  characters: sql`favorite_characters_count desc, length(name)`,
  people: sql`favorite_people_count desc, casts_count + staffs_count desc, length(name)`,
  organizations: sql`favorite_organizations_count desc, staffs_count desc, length(name)`,
  series: sql`length(name)`,
} as const

type Hit = { hits: string; limit: number }

const shownRows = perKind<{ id: number }, Hit>(
  (kind, slot) => sql`
    select row.id from json_each(${slot('hits')}) as hit
    cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
    where row.hidden = 0 limit ${slot('limit')}`,
)

const rankedRows = perKind<{ id: number }, Hit>((kind, slot) =>
  kind === 'works'
    ? rankedWorks(slot)
    : sql`
      select row.id from json_each(${slot('hits')}) as hit
      cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
      where row.hidden = 0 order by hit.value desc, ${orders[kind]}, row.id limit ${slot('limit')}`,
)

/** Of a series' works with one score, the first of those that are about as well known takes the place of the best known. */
const rankedWorks = (slot: SlotOf<Hit>) => sql<{ id: number }>`
  with found as (
    select row.id, hit.value as score, media, season_rank, length(title) as length,
      popularity + log2(1 + watchers_count) as renown,
      ifnull((select min(series_id) from series_works where work_id = row.id), -row.id) as series
    from json_each(${slot('hits')}) as hit cross join works as row on row.id = cast(hit.key as integer)
    where row.hidden = 0),
  compared as (select *, max(renown) over (partition by score, series) as highest from found),
  ordered as (
    select *, row_number() over (
      partition by score, series
      order by renown < 0.7 * highest, season_rank nulls last, media <> 'tv', length, id) as part
    from compared)
  select id from ordered
  order by score desc, iif(part = 1, highest, renown) desc, part > 1, media <> 'tv', season_rank nulls last, length, id
  limit ${slot('limit')}`

/** Nobody reads further, and other filters narrow these down. */
const mostRanked = 1000

import { type RawBuilder, sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { ChangeLog } from '../../library/undo/change-log'
import { mostFavoriteWorks } from '../../library/undo/comebacks'
import { insertFavoriteWork } from '../../social/favorite-works'
import { addWorks } from '../../social/lists/list-works'
import { insertList, type ListWriting, mostInList, mostLists } from '../../social/lists/write-list'
import { favorites, type SaidList } from '../row'
import type { StoredImport } from './import-store'
import type { ComingList } from './list-import'

/** What applying would do with each list of a file, and with its favorites; also what it did. */
export async function comingLists(read: Read, one: StoredImport): Promise<readonly ComingList[]> {
  const { lists } = one.facts
  if (lists.length === 0) return []
  const here = new Map((await listsHere(read, { user: one.userId })).map((list) => [list.name, list]))
  const found = new Map(
    (await listedRows(read, { import: one.id, user: one.userId })).map((row) => [row.name, row]),
  )
  let room = mostLists - [...here.keys()].filter((name) => name !== favorites).length
  return lists.map(({ name }) => {
    const { works = 0, known = 0, gains: wanted = 0, missing = '[]' } = found.get(name) ?? {}
    const isLeftOut = one.options.leavesOut.includes(name)
    const isNew = !here.has(name) && name !== favorites
    const isMade = isNew && !isLeftOut && makesList(one, known)
    const hasRoom = !isMade || room > 0
    if (isMade && hasRoom) room -= 1
    const most = (name === favorites ? mostFavoriteWorks : mostInList) - (here.get(name)?.works ?? 0)
    const gains = isLeftOut || !hasRoom ? 0 : Math.min(wanted, Math.max(0, most))
    const isFull = !isLeftOut && (!hasRoom || gains < wanted)
    return { name, works, known, gains, isNew, isLeftOut, isFull, missing: JSON.parse(missing) }
  })
}

/** kiroku's own lists come over even if nothing is in them. */
const makesList = ({ source }: Pick<StoredImport, 'source'>, works: number) =>
  works > 0 || source === 'kiroku'

// uses lists_user and favorites_user
const listsHere = preparedSql<{ name: string; works: number }, { user: number }>(
  (slot) => sql`
    select name, (select count(*) from list_works where list_id = min(lists.id)) as works
    from lists where user_id = ${slot('user')} group by name
    union all select ${sql.lit(favorites)}, count(work_id) from favorites where user_id = ${slot('user')}`,
)

interface ListedRows {
  readonly name: string
  readonly works: number
  readonly known: number
  readonly gains: number
  /** JSON of titles. */
  readonly missing: string
}

interface ListedRows {
  readonly name: string
  readonly works: number
  readonly known: number
  readonly gains: number
  /** JSON of titles. */
  readonly missing: string
}

const columns = sql`place.value ->> 'name' as name, title, state, number,
  ${survivor('works', sql.ref('list_import_rows.work_id'))} as work, place.value ->> 'place' as place,
  place.value ->> 'note' as note, place.value ->> 'addedAt' as added_at`

/** Rows by the lists that the file has them in. Uses the unique index of list_import_rows. */
const listed = (id: RawBuilder<unknown>) => sql`
  select ${columns} from list_import_rows, json_each(shown ->> '$.lists') as place
  where import_id = ${id} and shown ->> '$.lists' is not null`

const isKnown = sql`state in ('new', 'conflict', 'unchanged')`

/** Whether one's list of the name, or one's favorites, have the work. Uses lists_user, favorites_user and the key of list_works. */
const isHere = (user: RawBuilder<unknown>) => sql`iif(listed.name = ${sql.lit(favorites)},
  exists (select 1 from favorites where user_id = ${user} and work_id = work),
  exists (
    select 1 from lists join list_works on list_id = lists.id and list_works.work_id = work
    where lists.user_id = ${user} and lists.name = listed.name))`

const listedRows = preparedSql<ListedRows, { import: number; user: number }>(
  (slot) => sql`
    with listed as materialized (${listed(slot('import'))})
    select name, count(*) as works, sum(${isKnown}) as known,
      count(distinct iif(${isKnown} and not ${isHere(slot('user'))}, work, null)) as gains,
      (select json_group_array(title) from (
        select title from listed as o where o.name = listed.name and state in ('check', 'not_found') limit 3)) as missing
    from listed group by name`,
)

/**
 * Puts works of a list of the file into the list of its name, or the first favorites into one's own. The list is made if there is
 * none. Returns false if the rest must go into another transaction.
 */
export async function takeOverList(
  { tx, now }: { readonly tx: Tx; readonly now: number },
  one: StoredImport,
  said: SaidList | undefined,
): Promise<boolean> {
  if (said === undefined || one.options.leavesOut.includes(said.name)) return true
  const { userId } = one
  const log = new ChangeLog(tx, userId, 'import')
  const works = await comingWorks(tx, { import: one.id, user: userId, name: said.name })
  const writing = { tx, userId, now, log, aside: log.aside }
  const isWhole =
    said.name === favorites
      ? await addFavorites(writing, works)
      : await addToNamed(writing, ownIf(one.options.isAllPrivate, said), {
          works,
          isMade: makesList(one, works.length),
        })
  await log.write({ import_id: one.id })
  return isWhole
}

/** For its owner alone, whatever the file says. */
const ownIf = (isPrivate: boolean, said: SaidList): SaidList =>
  isPrivate ? { ...said, visibility: 'private' } : said

interface ComingWork {
  readonly work: number
  readonly note: string | null
  readonly added_at: number | null
}

/** Those that are not there yet, in their order. */
const comingWorks = preparedSql<ComingWork, { import: number; user: number; name: string }>(
  (slot) => sql`
    with listed as materialized (${listed(slot('import'))})
    select work, note, added_at from listed join works on works.id = work and hidden = 0
    where name = ${slot('name')} and ${isKnown} and not ${isHere(slot('user'))}
    group by work order by min(place), min(number)`,
)

async function addFavorites({ tx, userId, now, log }: ListWriting, works: readonly ComingWork[]) {
  const { n } = await tx
    .selectFrom('favorites') // uses favorites_user
    .select(({ fn }) => fn.count<number>('work_id').as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  for (const { work } of works.slice(0, Math.max(0, mostFavoriteWorks - n)))
    await log.changed('favorites', work, work, () => insertFavoriteWork(tx, { user: userId, work, now }))
  return true
}

async function addToNamed(
  writing: ListWriting,
  { name, text, isOrdered, visibility = 'private', createdAt }: SaidList,
  { works, isMade }: { readonly works: readonly ComingWork[]; readonly isMade: boolean },
): Promise<boolean> {
  const { tx, userId } = writing
  const { lists, first, size } = await named(tx, userId, name)
  if (first === null && (!isMade || lists >= mostLists)) return true
  const list = first ?? (await insertList(writing, { name, text, visibility, isOrdered, createdAt }))
  const added = works.slice(0, Math.min(mostAtOnce, mostInList - size))
  const columns = added.map(({ work, note, added_at }) => ({
    ...{ workId: work, note: note ?? undefined, addedAt: added_at ?? undefined },
  }))
  if (added.length > 0) await addWorks(writing, list, columns)
  return added.length === works.length || size + added.length >= mostInList
}

/** Each takes some 300 µs. */
const mostAtOnce = 50

/** How many lists somebody has, and the first one of this name with its size. Uses lists_user. */
async function named(tx: Tx, userId: number, name: string) {
  const { rows } = await sql<{ lists: number; first: number | null; size: number }>`
    with first as (select min(id) as id from lists where user_id = ${userId} and name = ${name})
    select (select count(*) from lists where user_id = ${userId}) as lists, id as first,
      (select count(*) from list_works where list_id = first.id) as size
    from first`.execute(tx)
  return rows[0] ?? { lists: 0, first: null, size: 0 }
}

import { type RawBuilder, sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'
import type { Visibility } from '../../social/lists/write-list'
import { positiveInteger } from '../../values/number'
import { pageNotFound } from '../../web/problem'
import { readOrNotFound, type Visit } from '../../web/visit'
import { findUser, readerOf, type ShownUser } from '../parts/find-user'

export interface ShownList {
  readonly id: number
  readonly name: string
  readonly text: string
  readonly visibility: Visibility
  readonly is_ordered: number
  /** Works that this reader sees. */
  readonly works: number
  /** How many of them the reader has watched. */
  readonly seen: number
  readonly updated_at: number
  /** JSON of the ids of the first six works. */
  readonly first: string
}

/** Of a user, the list used last first: those that the reader may see. Uses lists_user and list_works_place. */
export const listsOfUser = preparedSql<ShownList, { user: number; reader: number; list: number }>(
  (slot) => sql`
    select id, name, text, visibility, is_ordered, updated_at,
      (select count(*) from list_works where list_id = lists.id) as works,
      (select count(*) from list_works cross join statuses as s
        where list_id = lists.id and s.user_id = ${slot('reader')} and s.work_id = list_works.work_id
          and s.kind = 'watched') as seen,
      (select json_group_array(work_id) from (
        select work_id from list_works where list_id = lists.id order by place, list_works.id limit 6)) as first
    from lists
    where user_id = ${slot('user')} and ${slot('list')} in (0, id)
    order by updated_at desc, id desc`,
)

export interface FoundList {
  readonly user: ShownUser
  readonly list: ShownList
}

/** The list in the path, of the user there. Visitors read one for everyone, although the profile is for members (D88). */
export async function findList(visit: Visit): Promise<FoundList> {
  const { seen } = visit.deps
  const reader = readerOf(visit)
  const id = readOrNotFound(positiveInteger, visit.params.id)
  const listOf = async (user: number) => (await listsOfUser(seen, { user, reader, list: id }))[0]
  const user = await findUser(visit, async (owner) => (await listOf(owner)) !== undefined)
  const list = await listOf(user.id)
  if (list === undefined) throw pageNotFound()
  return { user, list }
}

export interface ListedWorkRow extends CoveredWork, Titles {
  /** From 1 on. */
  readonly nth: number
  readonly note: string
  readonly hidden: number
  readonly no_episodes: number
  readonly episodes_count: number
  /** The reader's. */
  readonly kind: StatusKind | null
  readonly rating: RatingState | null
  readonly score: number | null
}

const newestRated = (reader: RawBuilder<number>) => sql`
  from reviews where reviews.user_id = ${reader} and reviews.work_id = works.id
    and (rating_overall_state is not null or score is not null) order by reviews.id desc limit 1`

type PageOfList = { list: number; reader: number; unseen: number; limit: number; offset: number }

/** `unseen`: 1 for those alone that the reader has not watched. Uses list_works_place and reviews_user_work. */
export const worksInList = prepared<ListedWorkRow, PageOfList>((read, slot: SlotOf<PageOfList>) =>
  read
    .selectFrom(({ selectFrom }) =>
      selectFrom('list_works')
        .select(['work_id', 'note', sql<number>`row_number() over (order by place, id)`.as('nth')])
        .where('list_id', '=', slot('list'))
        .as('listed'),
    )
    .innerJoin('works', 'works.id', 'listed.work_id')
    .leftJoin('statuses', (join) =>
      join.on('statuses.user_id', '=', slot('reader')).onRef('statuses.work_id', '=', 'works.id'),
    )
    .select(['works.id', 'works.title', 'works.title_en', 'works.title_ro', 'works.hidden', 'listed.note'])
    .select(['listed.nth', 'works.no_episodes', 'works.episodes_count'])
    .select(sql<StatusKind | null>`statuses.kind`.as('kind'))
    .select([
      sql<RatingState | null>`(select rating_overall_state ${newestRated(slot('reader'))})`.as('rating'),
      sql<number | null>`(select score ${newestRated(slot('reader'))})`.as('score'),
    ])
    .select(coverColumns(slot('reader')))
    .where(sql<boolean>`(${slot('unseen')} = 0 or statuses.kind is not 'watched')`)
    .orderBy('listed.nth')
    .limit(slot('limit'))
    .offset(slot('offset')),
)

type CoverRow = CoveredWork

/** `ids`: JSON. */
const coveredWorks = prepared<CoverRow, { ids: string; reader: number }>((read, slot) =>
  read
    .selectFrom('works')
    .select(['works.id', 'works.title'])
    .select(coverColumns(slot('reader')))
    .where('works.id', 'in', sql<number>`(select value from json_each(${slot('ids')}))`),
)

/** The first works of each list, by its id. */
export async function firstWorks(
  visit: Visit,
  lists: readonly Pick<ShownList, 'id' | 'first'>[],
  most: number,
): Promise<ReadonlyMap<number, readonly CoveredWork[]>> {
  const idsOf = ({ first }: Pick<ShownList, 'first'>) => (JSON.parse(first) as number[]).slice(0, most)
  const ids = JSON.stringify([...new Set(lists.flatMap(idsOf))])
  const rows = await coveredWorks(visit.deps.seen, { ids, reader: readerOf(visit) })
  const works = new Map(rows.map((work) => [work.id, work]))
  return new Map(
    lists.map((list) => [
      list.id,
      idsOf(list).flatMap((id) => {
        const work = works.get(id)
        return work === undefined ? [] : [work]
      }),
    ]),
  )
}

/** Which of one's own lists have a work, and at which place. Uses list_works_work and list_works_place. */
export const placesOfWork = preparedSql<{ list_id: number; nth: number }, { user: number; work: number }>(
  (slot) => sql`
    select list_id, (
      select count(*) from list_works as o where o.list_id = own.list_id and (o.place, o.id) <= (own.place, own.id)) as nth
    from list_works as own where work_id = ${survivor('works', slot('work'))} and user_id = ${slot('user')}`,
)

/** The list that was used last, for one press; undefined if there is none. Uses lists_user. */
export const listUsedLast = preparedSql<
  { id: number; name: string; has: number },
  { user: number; work: number }
>(
  (slot) => sql`
    select id, name, exists (
      select 1 from list_works where list_id = lists.id and work_id = ${slot('work')}) as has
    from lists where user_id = ${slot('user')} order by updated_at desc, id desc limit 1`,
)

export interface ListName {
  readonly id: number
  readonly name: string
}

/** Of one's own lists, the one used last first. Uses lists_user. */
export const namesOfLists = (read: Read, user: number): Promise<readonly ListName[]> =>
  read
    .selectFrom('lists')
    .select(['id', 'name'])
    .where('user_id', '=', user)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

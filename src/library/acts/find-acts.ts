import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { prepared } from '../../db/prepared'
import { notFound } from '../../http/errors'
import type { StatusKind } from '../statuses'
import type { Act, ActKind, ListDeed, ListedAct } from './act'

/** Throws not_found, also for somebody else's act. */
export async function findAct(read: Read, userId: number, actId: number): Promise<Act> {
  const [act] = await oneAct(read, { userId, actId })
  if (act === undefined) throw notFound('The act')
  return actOf(act)
}

/** Newest first, from those before the act `before`. */
export async function listActs(
  read: Read,
  userId: number,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly ListedAct[]> {
  const acts = await someActs(read, { userId, before, limit })
  return acts.map((act) => {
    if (act.title !== null) return withWork(actOf({ ...act, title: act.title }))
    const { media, season_year, season, cover_hash, ...row } = act
    return { ...actOf(row), ...noTitles, work: undefined }
  })
}

const noTitles = { title: '', titleKana: '', titleRo: '', titleEn: '' }

type WorkCells = Omit<CoveredWork, 'id'> & { readonly workId: number }

/** A row that was read with the columns of its work. */
export function withWork<Cells extends WorkCells>({ media, season_year, season, cover_hash, ...row }: Cells) {
  const { workId: id, title } = row
  return { ...row, work: { id, title, media, season_year, season, cover_hash } }
}

/** What it was about, of works and episodes. */
export const subjectNames = [
  'works.title',
  'works.title_kana as titleKana',
  'works.title_ro as titleRo',
  'works.title_en as titleEn',
  'episodes.number',
  'number_text as numberText',
  'episodes.title as episodeTitle',
] as const

const workOfAct = survivor('works', sql.ref('acts.work_id'))
const episodeOfAct = survivor('episodes', sql.ref('acts.episode_id'))

// uses episodes_work
const isLastListed = sql`exists (
  select 1 from (
    select id from episodes where work_id = ${workOfAct} and hidden = 0
    order by sort_number desc, id desc limit 1) as last
  where last.id = ${episodeOfAct} and (select ${sql.raw(isGrowing)} from works where works.id = ${workOfAct}) = 0)`

const isWatched = sql`exists (
  select 1 from statuses where user_id = acts.user_id and work_id = ${workOfAct} and kind = 'watched')`

const offersWatched = sql<number>`acts.kind in ('record', 'play') and acts.undone_at is null and ${isLastListed} and not ${isWatched}`

type ActRow = Omit<Act, 'offersWatched'> & { readonly offersWatched: number }

const actOf = <A extends ActRow>({ offersWatched, ...act }: A) => ({
  ...act,
  offersWatched: offersWatched === 1,
})

const selectActs = (read: Read) =>
  read
    .selectFrom('acts')
    .select([
      'acts.id',
      sql<ActKind>`acts.kind`.as('kind'),
      workOfAct.as('workId'),
      'acts.list_id as listId',
      sql<number | null>`${episodeOfAct}`.as('episodeId'),
      'acts.other_id as otherId',
      'acts.count',
      sql<StatusKind | null>`acts.status_kind`.as('statusKind'),
      'acts.created_at as createdAt',
      'acts.undone_at as undoneAt',
      offersWatched.as('offersWatched'),
    ])

const oneAct = prepared<ActRow, { userId: number; actId: number }>((read, slot) =>
  selectActs(read).where('acts.id', '=', slot('actId')).where('acts.user_id', '=', slot('userId')),
)

/** The columns of the work are null if the act concerns none. */
type ListedRow = ActRow &
  Omit<ListedAct, keyof Act | 'work' | 'title'> &
  Omit<CoveredWork, 'id' | 'title'> & { readonly title: string | null }

/** Of a deleted list, what the act that deleted it has kept. Uses changes_act and changes_row. */
const listName = sql<string | null>`iif(acts.list_id = 0, null, ifnull(
  (select name from lists where id = acts.list_id and user_id = acts.user_id),
  (select before ->> 'name' from changes
    where changes.user_id = acts.user_id and table_name = 'lists' and row_id = acts.list_id and before is not null
    order by id desc limit 1)))`

/** Uses changes_act. */
const listDeed = sql<ListDeed | null>`iif(acts.list_id = 0, null, (
  select case when table_name = 'lists' then
      case when before is null then 'made' when after is null then 'deleted' else 'edited' end
    when before is null then 'added' when after is null then 'removed'
    when before ->> 'place' <> after ->> 'place' then 'moved' else 'noted' end
  from changes where act_id = acts.id and is_aside = 0 order by id limit 1))`

const isPresent = sql<boolean>`not exists (select 1 from deletions where user_id = users.id)`

/** Uses acts_user. */
const someActs = prepared<ListedRow, { userId: number; before: number; limit: number }>((read, slot) =>
  selectActs(read)
    .leftJoin('works', (join) => join.on('works.id', '=', workOfAct))
    .leftJoin('users', (join) => join.on('users.id', '=', sql.ref('acts.other_id')).on(isPresent))
    .leftJoin('episodes', (join) => join.on('episodes.id', '=', episodeOfAct))
    .select([listName.as('listName'), listDeed.as('listDeed')])
    .select(subjectNames)
    .select('users.username as otherName')
    .select(coverColumns(slot('userId')))
    .where('acts.user_id', '=', slot('userId'))
    .where('acts.id', '<', slot('before'))
    .orderBy('acts.id', 'desc')
    .limit(slot('limit')),
)

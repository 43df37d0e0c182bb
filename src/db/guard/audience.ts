import { type RawBuilder, sql } from 'kysely'
import { audiences, profileLevel } from '../../../db/facts/withheld'

/**
 * Who sees what people wrote (D72), as SQL: the table of docs/privacy.md and nothing else. `main.` is written out, as this also
 * stands in views that are named like the tables (`src/db/guard/views.ts`).
 */

/** SQL for the person who looks; 0 is a visitor. `isCrowd`: whether those whom they muted are left out. */
export interface Looker {
  readonly id: string
  readonly isCrowd: string
}

/** Who looks on a guarded connection. */
export const seer: Looker = { id: '(select id from temp.seer)', isCrowd: '(select is_crowd from temp.seer)' }

/** The condition that this person may see a row, named `row`, of this table. */
export function isSeen(table: string, row: string, looker: Looker): string {
  if (table === 'follows') return isFollowSeen(row, looker)
  if (table === 'comments') return isCommentSeen(row, looker)
  if (table === 'list_works') return isInSeenList(row, looker)
  if (table === 'meetings') return isMeetingSeen(row, looker)
  if (table === 'meeting_people') return isCompanionSeen(row, looker)
  const owner = `${row}.user_id`
  return `(+${row}.withheld <= ${plainLevel(looker)} or +${owner} = ${looker.id}
    or (case ${levelOf(`+${row}.withheld`, owner)}
    when 0 then ${isOpen(table, row, looker.id)}
    when 1 then ${isFollowed(owner, looker.id)}
    else 0 end and ${isApart(owner, looker)}))`
}

/** The condition that a row is shared: the same for everybody but those with a block, who do not see the other side's. */
export function isSharedRow(table: string, row: string): string {
  if (table === 'comments') return isSharedComment(row)
  if (table === 'list_works') return isInSharedList(row)
  // No list of everybody's has them.
  if (table === 'meetings' || table === 'meeting_people') return '0'
  const people = audiences.find((audience) => audience.table === table)?.people ?? []
  const looker = { ...seer, isCrowd: '0' }
  const conditions = people.map((column) => {
    const owner = `${row}.${column}`
    return `not ${isMoving(owner)} and (${seer.id} = 0 or ${isApart(owner, looker)})`
  })
  return `${row}.withheld = 0 and ((select ${isUsual(looker)}) or (${conditions.join('\n  and ')}))`
}

/** The condition that this person may see a profile, the row `row` of users. */
export const isPersonSeen = (row: string, looker: Looker): string =>
  `(${row}.id = ${looker.id} or ${profileLevel(row)} <= ${plainLevel({ ...looker, isCrowd: '0' })}
    or (case ${levelOf(profileLevel(row), `${row}.id`)}
    when 0 then ${looker.id} > 0 or ${row}.privacy = 'public'
    when 1 then ${isFollowed(`${row}.id`, looker.id)}
    else 0 end and ${isApart(`${row}.id`, { ...looker, isCrowd: '0' })}))`

/** A follow of a private profile is seen by its two sides only (D76). */
const isFollowSeen = (row: string, looker: Looker): string => {
  const [follower, followed] = [`${row}.follower_id`, `${row}.followed_id`]
  const people = `(+${follower}, +${followed})`
  return `(+${row}.withheld <= ${plainLevel(looker)} or ${looker.id} in ${people}
    or (+${row}.withheld = 0 and not ${isMoving(follower)} and not ${isMoving(followed)}
    and (${looker.id} > 0 or (select min(privacy = 'public') from main.users where id in ${people}))
    and ${isApart(follower, looker)} and ${isApart(followed, looker)}))`
}

/**
 * The level up to which somebody sees rows whosesoever they are: those that are shared if they are a member and nothing makes
 * them an exception. Otherwise none, and each row is asked about its owner. Most rows of most lists end here.
 */
const plainLevel = (looker: Looker): string => `(select iif(${looker.id} > 0 and ${isUsual(looker)}, 0, -1))`

/**
 * Nobody's profile is being moved, and who looks has no block, nor mutes that count here. Within a `select` of its own it is asked
 * once for each statement: counting somebody else's 1,350 records takes 70 µs, not 119.
 */
const isUsual = ({ id, isCrowd }: Looker): string =>
  `not ${isAnyMoving} and not ${hasBlock(id)} and not (${isCrowd} and exists (select 1 from main.mutes where user_id = ${id}))`

const hasBlock = (id: string): string =>
  `(exists (select 1 from main.blocks where user_id = ${id}) or exists (select 1 from main.blocks where blocked_id = ${id}))`

/** By whoever sees what it stands under (D77), if they mute its owner, too; what a moderator hid, by its writer alone. */
const isCommentSeen = (row: string, looker: Looker): string =>
  `(${under(row, (table, over) => isSeen(table, over, { ...looker, isCrowd: '0' }))}
    and (+${row}.user_id = ${looker.id} or (${isNotHidden(row)} and ${isApart(`${row}.user_id`, looker)})))`

const isSharedComment = (row: string): string =>
  `(${isNotHidden(row)} and ${under(row, isSharedRow)}
    and (${seer.id} = 0 or ${isApart(`${row}.user_id`, { ...seer, isCrowd: '0' })}))`

/** Neither the comment nor all that its writer wrote. */
const isNotHidden = (row: string): string =>
  `(${row}.hidden_by is null and (select all_hidden_by from main.users where id = ${row}.user_id) is null)`

/** Lists and shared years say by themselves whether visitors read them, whatever the profile says (D88, D91). */
function isOpen(table: string, row: string, looker: string): string {
  const column = openColumns.get(table)
  if (column === undefined) return isProfileSeen(`${row}.user_id`, looker)
  return `(${looker} > 0 or ${row}.${column} = 'public')`
}

const openColumns = new Map([
  ['lists', 'visibility'],
  ['shares', 'audience'],
])

/** By whoever sees the list; what the catalogue hides, by the list's owner alone (D88). */
const isInSeenList = (row: string, looker: Looker): string =>
  `(exists (select 1 from main.lists as over where over.id = ${row}.list_id and ${isSeen('lists', 'over', looker)})
    and (+${row}.user_id = ${looker.id} or ${isWorkShown(row)}))`

const isInSharedList = (row: string): string =>
  `(exists (select 1 from main.lists as over where over.id = ${row}.list_id and ${isSharedRow('lists', 'over')})
    and ${isWorkShown(row)})`

const isWorkShown = (row: string): string => `(select hidden from main.works where id = ${row}.work_id) = 0`

/** The condition on the record, review or date that a comment stands under. */
const under = (row: string, condition: (table: string, over: string) => string): string =>
  `case when ${row}.record_id is not null then
    exists (select 1 from main.records as over where over.id = ${row}.record_id and ${condition('records', 'over')})
    when ${row}.review_id is not null then
    exists (select 1 from main.reviews as over where over.id = ${row}.review_id and ${condition('reviews', 'over')})
    else exists (select 1 from main.meetings as over where over.id = ${row}.meeting_id and ${condition('meetings', 'over')}) end`

/** By its host and those who are named (D79); one for all members by whoever sees the profile of its host. */
const isMeetingSeen = (row: string, looker: Looker): string =>
  `(${row}.user_id = ${looker.id} or (
    (select all_hidden_by from main.users where id = ${row}.user_id) is null
    and (exists (select 1 from main.meeting_people as own where own.meeting_id = ${row}.id and own.user_id = ${looker.id})
      or (${row}.is_open = 1 and ${looker.id} > 0 and exists (select 1 from main.users as host
        where host.id = ${row}.user_id and ${isPersonSeen('host', looker)})))
    and ${isApart(`${row}.user_id`, { ...looker, isCrowd: '0' })}))`

/** Who comes: by whoever sees the date, but for a block between the two. */
const isCompanionSeen = (row: string, looker: Looker): string =>
  `(exists (select 1 from main.meetings as of where of.id = ${row}.meeting_id and ${isMeetingSeen('of', looker)})
    and (${row}.user_id = ${looker.id} or ${isApart(`${row}.user_id`, { ...looker, isCrowd: '0' })}))`

/** While a profile is moved to another level, the higher one of both holds. Most of the time nobody's is. */
const levelOf = (kept: string, owner: string): string =>
  `iif(${isAnyMoving}, max(${kept}, ifnull((select level from main.privacy_moves where user_id = ${owner}), 0)), ${kept})`

// Asked once for each statement.
const isAnyMoving = 'exists (select 1 from main.privacy_moves)'

/** Whether this person's profile is being moved. */
export const isMoving = (owner: string): string =>
  `(${isAnyMoving} and exists (select 1 from main.privacy_moves where user_id = ${owner}))`

/** Members see profiles that are not private, visitors those that are public. */
const isProfileSeen = (owner: string, looker: string): string =>
  `(${looker} > 0 or (select privacy from main.users where id = ${owner}) = 'public')`

const isFollowed = (owner: string, looker: string): string =>
  `exists (select 1 from main.follows as own where own.follower_id = ${looker} and own.followed_id = ${owner})`

/** Neither has blocked the other (D78), nor has who looks at a crowd muted them. Who has no block is asked once. */
const isApart = (owner: string, { id, isCrowd }: Looker): string =>
  `not (${hasBlock(id)}
      and (exists (select 1 from main.blocks where user_id = ${id} and blocked_id = ${owner})
        or exists (select 1 from main.blocks where user_id = ${owner} and blocked_id = ${id})))${
          isCrowd === '0'
            ? ''
            : `
    and not (${isCrowd} and exists (select 1 from main.mutes where user_id = ${id} and muted_id = ${owner}))`
        }`

/** For `from`: what may be seen of a table, read by this index. A view has none to be named. Needs a guarded connection. */
export const seenBy = (table: string, index: string): RawBuilder<unknown> =>
  sql.raw(
    `(select * from main.${table} as ${table} indexed by ${index} where ${isSeen(table, table, seer)}) as ${table}`,
  )

/**
 * Columns maintained by triggers, declared once: `bun run triggers` prints the triggers, and `kiroku check
 * --deep` recounts them (src/catalogue/counters/recount.ts). In SQL, `row` is the counted row.
 */

/** Counts the rows of another table that refer to a row; each change also raises that row's version. */
export interface Counter {
  readonly table: string
  readonly column: string
  /** The table whose rows are counted, and its column that refers to `table`. */
  readonly counts: string
  readonly by: string
  readonly where?: string
  /** Counts distinct values of this column instead of rows. */
  readonly distinct?: string
  /** A column of another table that `where` reads; `affects`: SQL for the ids of counters that it affects. */
  readonly reads?: { readonly table: string; readonly column: string; readonly affects: string }
}

const shown = 'row.hidden = 0'
const ofShownWork = '(select hidden from works where id = row.work_id) = 0'
const ofShownCharacter = '(select hidden from characters where id = row.character_id) = 0'
// users who want to watch it, are watching it, or have watched it (D37)
const watching = "row.kind in ('wanna_watch', 'watching', 'watched')"
// What an item of the catalogue counts is shared (D74).
const shared = 'row.withheld = 0'
// What a user counts is not marked private (D74).
const notOwn = 'row.withheld < 2'
// Of what is hidden by a moderator only its writer knows.
const notHidden = 'row.hidden_by is null'
const hasKind = (kind: string) => ({ where: `row.kind = '${kind}' and ${notOwn}` })

export const counters: readonly Counter[] = [
  counter('works.episodes_count', 'episodes.work_id', { where: shown }),
  counter('works.watchers_count', 'statuses.work_id', { where: `${watching} and ${shared}` }),
  counter('works.reviews_count', 'reviews.work_id', { where: `row.body <> '' and ${shared}` }),
  counter('episodes.records_count', 'records.episode_id', { where: shared }),
  counter('episodes.record_comments_count', 'records.episode_id', {
    where: `row.comment <> '' and ${shared}`,
  }),
  counter('records.likes_count', 'likes.record_id'),
  counter('reviews.likes_count', 'likes.review_id'),
  counter('records.comments_count', 'comments.record_id', { where: notHidden }),
  counter('reviews.comments_count', 'comments.review_id', { where: notHidden }),
  counter('characters.favorite_characters_count', 'favorites.character_id', { where: shared }),
  counter('people.favorite_people_count', 'favorites.person_id', { where: shared }),
  counter('organizations.favorite_organizations_count', 'favorites.organization_id', { where: shared }),
  counter('users.records_count', 'records.user_id', { where: notOwn }),
  counter('users.followings_count', 'follows.follower_id'),
  counter('users.followers_count', 'follows.followed_id'),
  counter('users.wanna_watch_count', 'statuses.user_id', hasKind('wanna_watch')),
  counter('users.watching_count', 'statuses.user_id', hasKind('watching')),
  counter('users.watched_count', 'statuses.user_id', hasKind('watched')),
  counter('users.on_hold_count', 'statuses.user_id', hasKind('on_hold')),
  counter('users.stop_watching_count', 'statuses.user_id', hasKind('stop_watching')),
  counter('lists.items_count', 'list_works.list_id', {
    where: ofShownWork,
    reads: {
      table: 'works',
      column: 'hidden',
      affects: 'select list_id from list_works where work_id = row.id',
    },
  }),
  counter('people.casts_count', 'casts.person_id', {
    distinct: 'work_id',
    where: `${shown} and ${ofShownCharacter}`,
    reads: {
      table: 'characters',
      column: 'hidden',
      affects: 'select person_id from casts where character_id = row.id',
    },
  }),
  counter('people.staffs_count', 'staffs.person_id', { distinct: 'work_id', where: shown }),
  counter('organizations.staffs_count', 'staffs.organization_id', { distinct: 'work_id', where: shown }),
]

/** The recounted value, as SQL about a row of the counter's table. */
export function truthOf({ table, counts, by, where = 'true', distinct }: Counter): string {
  const counted = distinct === undefined ? '*' : `distinct row.${distinct}`
  return `(select count(${counted}) from ${counts} as row\n    where row.${by} = ${table}.id and ${where})`
}

/** `counter('works.reviews_count', 'reviews.work_id')` counts the reviews whose work_id is the work's id. */
function counter(
  kept: `${string}.${string}`,
  counted: `${string}.${string}`,
  which: Pick<Counter, 'where' | 'distinct' | 'reads'> = {},
): Counter {
  const [table = '', column = ''] = kept.split('.')
  const [counts = '', by = ''] = counted.split('.')
  return { table, column, counts, by, ...which }
}

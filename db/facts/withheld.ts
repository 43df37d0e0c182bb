/** Rows that no list shows while a row they refer to is hidden. The column `withheld` repeats this for the indexes. */
export interface Withheld {
  readonly table: string
  readonly refersTo: Readonly<Record<string, string>>
}

export const withheld: readonly Withheld[] = [
  { table: 'casts', refersTo: { person_id: 'people', character_id: 'characters' } },
  { table: 'staffs', refersTo: { person_id: 'people', organization_id: 'organizations' } },
]

/** The recomputed value as SQL; `row` is the name of the row. */
export function withheldTruth({ table, refersTo }: Withheld, row = table): string {
  const hidden = Object.entries(refersTo).map(
    ([column, other]) => `exists (select 1 from ${other} where id = ${row}.${column} and hidden <> 0)`,
  )
  return `(${hidden.join('\n    or ')})`
}

/**
 * What people wrote, and the level of those who may see it (D72), in its column `withheld`: 0 shared, 1 for followers, 2 its
 * owner's own. When a profile becomes private or is so no longer, the levels follow in pieces (`src/library/privacy`): until
 * then `privacy_moves` says which holds.
 */
export interface Audience {
  readonly table: string
  /** Columns with the people whose profiles decide. */
  readonly people: readonly string[]
  /** SQL about `row`. */
  readonly level: string
  /** The columns of the row that decide, besides the profile. */
  readonly decidedBy: readonly string[]
  /** Whether a list holds all rows of the table: `withheld_rows` has the number of those that are not shared. */
  readonly isListed: boolean
}

/** Of a row of users: 2 if an administrator hid all that they wrote. Their profile is private then, too. */
export const profileLevel = (row: string): string =>
  `((${row}.privacy = 'private') + (${row}.all_hidden_by is not null))`

const ofProfile = `(select ${profileLevel('users')} from users where id = row.user_id)`

/** Whether the row is its owner's own, whatever the profile says. */
export const isOwn = (row: string): string => `(${row}.private = 1 or ${row}.hidden_by is not null)`

const ownElseProfile = `iif(${isOwn('row')}, 2, ${ofProfile})`

const isOfOwn = (table: string, column: string) =>
  `exists (select 1 from ${table} where id = row.${column} and ${isOwn(table)})`

/** An activity is private with what it is about: one about several records if all of them are. */
const isAboutOwn = [
  'row.private = 1',
  isOfOwn('records', 'record_id'),
  isOfOwn('reviews', 'review_id'),
  `(row.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = row.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = row.id and not ${isOwn('records')}))`,
].join('\n    or ')

const byUser = ['user_id'] as const
const written = { people: byUser, decidedBy: ['user_id', 'private', 'hidden_by'] } as const

export const audiences: readonly Audience[] = [
  { table: 'records', ...written, level: ownElseProfile, isListed: true },
  { table: 'reviews', ...written, level: ownElseProfile, isListed: true },
  { table: 'statuses', ...written, level: ownElseProfile, isListed: false },
  {
    table: 'activities',
    people: byUser,
    level: `iif(${isAboutOwn}, 2, ${ofProfile})`,
    decidedBy: ['user_id', 'private', 'record_id', 'review_id'],
    isListed: true,
  },
  {
    table: 'follows',
    people: ['follower_id', 'followed_id'],
    level: `(select max(${profileLevel('users')}) from users where id in (row.follower_id, row.followed_id))`,
    decidedBy: ['follower_id', 'followed_id'],
    isListed: true,
  },
  { table: 'favorites', people: byUser, level: ofProfile, decidedBy: ['user_id'], isListed: false },
  {
    table: 'lists',
    people: byUser,
    level: `iif(row.visibility = 'private', 2, ${ofProfile})`,
    decidedBy: ['user_id', 'visibility'],
    isListed: true,
  },
  { table: 'shares', people: byUser, level: ofProfile, decidedBy: ['user_id'], isListed: false },
]

export const audienceOf = (table: string): Audience | undefined =>
  audiences.find((audience) => audience.table === table)

/** The level as SQL about `row`, or what is kept while the profile's rows are being moved. */
export function levelTruth({ table, people, level }: Audience): string {
  const isMoving = people.map((column) => `row.${column} in (select user_id from privacy_moves)`).join(' or ')
  return `iif(${isMoving}, row.withheld, ${level})`.replaceAll(/\brow\./g, `${table}.`)
}

/**
 * Tables whose rows not everybody sees (`src/db/guard`). A comment has no level of its own: it is seen by whoever sees what it
 * stands under (D77), a work in a list by whoever sees the list (D88), and a date to watch together by those it is for (D79).
 */
export const guardedTables: readonly string[] = [
  ...audiences.map(({ table }) => table),
  ...['comments', 'list_works', 'meetings', 'meeting_people'],
]

/** Sets the level of rows by the person in this column, as SQL with their id as `?1`; `which` narrows the rows. */
export const levelUpdate = ({ table, level }: Audience, person: string, which = 'true'): string => {
  const now = level.replaceAll(/\brow\./g, `${table}.`)
  return `update ${table} set withheld = ${now} where ${person} = ?1 and withheld <> ${now} and ${which}`
}

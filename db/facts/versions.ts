/** Tables whose rows have a `version` that grows with every change of the row. */
export const versioned: readonly string[] = [
  ...['series', 'works', 'episodes', 'characters', 'people', 'organizations', 'casts', 'staffs'],
  ...['channel_groups', 'channels', 'programs', 'users'],
  ...['records', 'reviews', 'activities', 'follows', 'notifications'],
]

/** A version that also grows with a change of another table: of these columns, or by rows made and deleted. */
export interface Raise {
  readonly table: string
  readonly column: string
  /** Which rows it is raised of, `row` being the row of the other table. */
  readonly where: string
  readonly after: string
  readonly columns?: readonly string[]
}

export const raises: readonly Raise[] = [
  // A character's kind is the name of its series, unless that is hidden (D25).
  {
    table: 'characters',
    column: 'version',
    where: 'series_id = row.id',
    after: 'series',
    columns: ['name', 'hidden'],
  },
  // Whether a work's list of episodes may grow (D62); its version grows with their number anyway.
  {
    table: 'works',
    column: 'version',
    where: 'id = row.work_id',
    after: 'episodes',
    columns: ['estimated', 'sort_number'],
  },
  // The feed of followed users is kept until whom a user follows or mutes changes.
  { table: 'users', column: 'feed_version', where: 'id = row.follower_id', after: 'follows' },
  { table: 'users', column: 'feed_version', where: 'id = row.user_id', after: 'mutes' },
]

/** Rows of a work, hidden with it: bit 2 of their `hidden` says whether it is. */
export const hiddenWithWork = ['episodes', 'casts', 'staffs', 'programs'] as const

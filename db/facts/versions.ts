/** Tables with a `version` that grows with every change of the row. */
export const versioned: readonly string[] = [
  ...['series', 'works', 'episodes', 'characters', 'people', 'organizations', 'casts', 'staffs'],
  ...['channel_groups', 'channels', 'programs', 'users'],
  ...['records', 'reviews', 'activities', 'follows', 'notifications', 'comments', 'lists'],
]

/** A version that also rises with another table: with updates of `columns`, or else with inserts and deletes. */
export interface DependentVersion {
  readonly table: string
  readonly column: string
  readonly where: string
  readonly after: string
  readonly columns?: readonly string[]
}

export const dependentVersions: readonly DependentVersion[] = [
  // A character's kind is the name of its series, unless that is hidden (D25).
  {
    table: 'characters',
    column: 'version',
    where: 'series_id = row.id',
    after: 'series',
    columns: ['name', 'hidden'],
  },
  // Decides whether a work's episode list may grow (D62); inserts raise the version through episodes_count.
  {
    table: 'works',
    column: 'version',
    where: 'id = row.work_id',
    after: 'episodes',
    columns: ['estimated', 'sort_number'],
  },
  // The version that keys the cache of feeds.
  { table: 'users', column: 'feed_version', where: 'id = row.follower_id', after: 'follows' },
  { table: 'users', column: 'feed_version', where: 'id = row.user_id', after: 'mutes' },
]

/** Rows hidden with their work: bit 2 of their `hidden`. */
export const hiddenWithWork = ['episodes', 'casts', 'staffs', 'programs'] as const

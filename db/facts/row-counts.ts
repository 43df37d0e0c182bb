/** A block of `row_counts` covers 2 ** 12 ids, also in 0009_row_counts.sql. */
export const blockBits = 12

/** The rows from which a key is split into blocks, also in 0009_row_counts.sql. Fewer rows are scanned. */
export const splitFrom = 2048

/** A list that `row_counts` counts (0009_row_counts.sql). In SQL, `row` is a counted row; without `where`, all are. */
export interface CountedList {
  readonly table: string
  /** All possible values of `list`. */
  readonly lists: readonly string[]
  /** SQL for the list that a row is in; `decidedBy`: the expression that decides this if there are several. */
  readonly list: string
  readonly decidedBy?: string
  /** The column that the list is sorted by before the id. */
  readonly key?: string
  readonly where?: string
  /** Excludes rows while a row of this table refers to them. */
  readonly unless?: { readonly table: string; readonly by: string }
  readonly blocks: boolean
}

/** Rows counted by a key, such as one user's: a total, and blocks from `splitFrom` rows on. */
export interface KeyedList {
  readonly table: string
  readonly list: string
  readonly by: string
  /** Whether rows of a large key are also counted by their likes. */
  readonly byLikes: boolean
}

const shown = (table: string): CountedList => ({
  table,
  lists: [table],
  list: `'${table}'`,
  where: 'row.hidden = 0',
  blocks: false,
})

/** Rows with text and rows without, each also by likes. */
function splitByText(table: string, text: string): readonly CountedList[] {
  const half = (suffix: string) => {
    const lists = [`${table}+${text}${suffix}`, `${table}-${text}${suffix}`]
    const decidedBy = `row.${text} <> ''`
    return { lists, list: `iif(${decidedBy}, '${lists[0]}', '${lists[1]}')`, decidedBy }
  }
  return [
    { table, ...half(''), blocks: true },
    { table, ...half(' by likes_count'), key: 'likes_count', blocks: true },
  ]
}

const actions = ['create_record', 'create_review', 'create_multiple_records', 'create_status']

export const countedLists: readonly CountedList[] = [
  ...['series', 'works', 'episodes', 'programs'].map(shown),
  ...['characters', 'people', 'organizations', 'casts', 'staffs'].map(shown),
  ...splitByText('records', 'comment'),
  ...splitByText('reviews', 'body'),
  {
    table: 'activities',
    lists: actions.map((action) => `activities=${action}`),
    list: "'activities=' || row.action",
    decidedBy: 'row.action',
    blocks: true,
  },
  { table: 'follows', lists: ['follows'], list: "'follows'", blocks: true },
  // Deleted accounts are not counted, even if their comments are kept or the deletion is still running.
  {
    table: 'users',
    lists: ['users'],
    list: "'users'",
    unless: { table: 'deletions', by: 'user_id' },
    blocks: true,
  },
]

const byKey = (table: string, name: string, byLikes = false): KeyedList => ({
  table,
  list: `${table} by ${name}`,
  by: `${name}_id`,
  byLikes,
})

export const keyedLists: readonly KeyedList[] = [
  ...['work', 'user', 'episode'].map((name) => byKey('records', name, true)),
  ...['work', 'user'].map((name) => byKey('reviews', name, true)),
  byKey('activities', 'user'),
  byKey('follows', 'follower'),
  byKey('follows', 'followed'),
  byKey('notifications', 'user'),
]

/** Lists whose cells are stretches of 4,096 ids, and their total by key (0012_ranks.sql). */
export interface BlockList {
  readonly table: string
  /** The condition that a cell is of one of these lists. */
  readonly lists: string
  /** The list and the key of a row, as SQL. */
  readonly list: string
  readonly key: string
  /** The condition that a row is counted; all are where there is none. */
  readonly where?: string
}

/** A list whose cells are the total of each key; a key with 2,048 rows and more is split into stretches of ids as well. */
export interface KeyList {
  readonly table: string
  readonly list: string
  readonly column: string
  /** Whether large keys are split, and then also by the likes of their rows. */
  readonly splits: 'never' | 'by id' | 'by likes'
}

/** A table's rows split by whether they have text, and both halves by likes. */
function flagged(table: string, text: string): readonly BlockList[] {
  const half = `iif(${text} <> '', '${table}+${text}', '${table}-${text}')`
  const names = (suffix: string) => `list in ('${table}+${text}${suffix}', '${table}-${text}${suffix}')`
  return [
    { table, lists: names(''), list: half, key: '0' },
    { table, lists: names(' by likes_count'), list: `${half} || ' by likes_count'`, key: 'likes_count' },
  ]
}

const byKey = (table: string, name: string, splits: KeyList['splits']): KeyList => ({
  table,
  list: `${table} by ${name}`,
  column: `${name}_id`,
  splits,
})

export const blockLists: readonly BlockList[] = [
  ...flagged('records', 'comment'),
  ...flagged('reviews', 'body'),
  { table: 'activities', lists: `list glob 'activities=*'`, list: `'activities=' || action`, key: '0' },
  { table: 'follows', lists: `list = 'follows'`, list: `'follows'`, key: '0' },
  {
    table: 'users',
    lists: `list = 'users'`,
    list: `'users'`,
    key: '0',
    where: 'id not in (select user_id from deletions)',
  },
]

export const keyLists: readonly KeyList[] = [
  byKey('records', 'work', 'by likes'),
  byKey('records', 'user', 'by likes'),
  byKey('records', 'episode', 'by likes'),
  byKey('reviews', 'work', 'by likes'),
  byKey('reviews', 'user', 'by likes'),
  byKey('activities', 'user', 'by id'),
  byKey('follows', 'follower', 'by id'),
  byKey('follows', 'followed', 'by id'),
  byKey('notifications', 'user', 'never'),
]

/** The condition that a cell is of any of them. */
export const isKnownCell = [
  ...blockLists.map(({ lists }) => `(${lists}) and block >= -1`),
  ...keyLists.map(({ list }) => `list = '${list}'`),
  ...keyLists.map(({ list }) => `list glob '${list} [0-9]* by likes_count'`),
].join(' or ')

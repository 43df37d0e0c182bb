import type { Database } from 'bun:sqlite'
import type { Endpoint } from '../src/api/endpoint'

/** All values that the schema names, else the most and least frequent in the database, else the example. */
export const candidatesIn = (handle: Database) => {
  const known = new Map<string, readonly string[]>()
  const found = (name: string) => {
    const query = queries[name]
    const rows = query === undefined ? [] : handle.query<{ value: string | number }, []>(query).all()
    const values = known.get(name) ?? rows.map(({ value }) => String(value))
    known.set(name, values)
    return values
  }
  return (list: Endpoint, name: string): readonly string[] => {
    const { schema, example } = list.operation.params[name] ?? { schema: {}, example: '' }
    if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum
    if ('type' in schema && schema.type === 'boolean') return ['true', 'false']
    if (name === 'filter_actions') return subsets(actions)
    const values = found(name)
    return values.length > 0 ? values : (texts[name] ?? [String(example)])
  }
}

const actions = ['create_record', 'create_review', 'create_multiple_records', 'create_status']

const subsets = (words: readonly string[]) =>
  Array.from({ length: 2 ** words.length - 1 }, (_, set) =>
    words.filter((_, at) => (set + 1) & (1 << at)).join(','),
  )

const searchTexts = ['a', 'の', 'ン', 'アニメ', '子', '第2期', '田中', 'スタジオ', 'フリーレン']
const texts: Readonly<Record<string, readonly string[]>> = {
  filter_title: searchTexts,
  filter_name: searchTexts,
  filter_query: searchTexts,
}

const spread = (table: string, column: string, by = column) =>
  `select ${column} as value from (select ${by}, n, row_number() over (order by n desc) as place, count(*) over () as of
     from (select ${by}, count(*) as n from ${table} group by 1)) as counted
   ${by === column ? '' : `join users on users.id = counted.${by}`}
   where place = 1 or place = of or place = of / 2 or place = of / 50`

const everywhere = (column: string, tables: readonly string[]) =>
  tables.map((table) => spread(table, column)).join(' union ')

const ofUsers = (column: string) =>
  [
    ['records', 'user_id'],
    ['reviews', 'user_id'],
    ['activities', 'user_id'],
    ['follows', 'follower_id'],
    ['follows', 'followed_id'],
  ]
    .map(([table = '', by = '']) => spread(table, column, by))
    .join(' union ')

const works = everywhere('work_id', ['records', 'reviews', 'episodes', 'casts', 'staffs', 'programs'])
const usernames = ofUsers('username')
const starts = `select strftime('%Y-%m-%d', (min(started_at) + (max(started_at) - min(started_at)) * part / 10) / 1000,
  'unixepoch') as value from programs, (select 1 as part union select 5 union select 9) group by part`

const queries: Readonly<Record<string, string>> = {
  filter_work_id: works,
  filter_work_ids: works,
  filter_episode_id: everywhere('episode_id', ['records']),
  filter_user_id: ofUsers('id'),
  filter_username: usernames,
  filter_usernames: usernames,
  filter_channel_ids: everywhere('channel_id', ['programs']),
  filter_season: `select season_year || '-' || season as value from works where season is not null and hidden = 0
    group by 1 having count(*) > 0 order by count(*) desc limit 3`,
  filter_started_at_gt: starts,
  filter_started_at_lt: starts,
}

import type { Schema } from './document'

const many = Array.from({ length: 501 }, (_, i) => i + 1).join(',')
const idTexts = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'abc',
  '１',
  '01',
  '+1',
  '1 ',
  '999999999999999',
  '9999999999999999',
  '1,2',
]
const idLists = [
  '1',
  '1,2,3',
  '3,1',
  ',',
  ',,2,',
  '10000001',
  '1,999999',
  '0',
  many.slice(0, -4),
  many,
  'a',
  '1;2',
  '-1',
  '1.5',
  '１',
]
const times = [
  '2026/10/25 12:00',
  '2026-10-25',
  '2026/10/25',
  '2026-10-25T12:00:00+09:00',
  '2026-10-25T12:00:00Z',
]
const badTimes = ['2026/02/30 12:00', '2026-10-25T12:00:00', '2026/10/25 25:00', 'today', '25/10/2026']
const texts = [
  '旅',
  'ﾀﾋﾞ',
  'TRIP 4',
  '%',
  '_',
  'Ａｌｐｈａ',
  'がっこう',
  'ガッコウ',
  'snake_',
  '人物1',
  '役',
  'シリーズ',
  'nobody',
  "'",
  '"',
  '旅 1',
  'a'.repeat(5000),
]
const fields = [
  'id',
  'id,title',
  'work',
  'work.title',
  'user.username,id',
  'images',
  'work.images',
  'nothing',
  'id,id',
  ',',
  '.',
  'work..title',
  'ID',
  'id title',
  '@',
  'episode,prev_episode.id',
  'a.b.c.d',
]
const anyText = ['', ' ', '　', 'x', '\0', '🍥', '<b>']

/** Values that tell much of a parameter, valid or not. */
const byName: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [/^fields$/, fields],
  [/_ids$/, idLists],
  [
    /^filter_season$/,
    [
      '2023-spring',
      '2024-all',
      '2026-winter',
      '1900-all',
      '2023',
      '2023-fall',
      '２０２３-all',
      '2023-SPRING',
      '23-all',
    ],
  ],
  [/^filter_(title|name)$/, texts],
  [/^filter_started_at/, [...times, ...badTimes]],
  [
    /^filter_actions$/,
    [
      'create_record',
      'create_review,create_status',
      'create_multiple_records',
      ',',
      'none',
      'create_record,none',
    ],
  ],
  [
    /^filter_usernames$/,
    ['mio', 'MIO,ritsu', 'nobody', 'mio,', ',', 'mi o', 'ミオ', 'mio.', 'a'.repeat(300)],
  ],
  [/username$/, ['mio', 'RITSU', 'nobody', 'a b', 'ミオ', 'mio,ritsu', 'a'.repeat(300)]],
  [/^per_page$/, ['1', '25', '50', '51', ...idTexts]],
  [/_id$|^page$|^id$/, ['1', '2', '3', '11', '10000001', '777777', ...idTexts]],
  [
    /^rating$/,
    [
      '0',
      '0.1',
      '2.9',
      '3',
      '3.4',
      '3.5',
      '4.5',
      '5',
      '5.1',
      '-0.1',
      '1.25',
      '1e0',
      'good',
      '５',
      '.5',
      '5.0',
    ],
  ],
  [
    /^watched_at$/,
    [
      '2026-04-01T21:00:00+09:00',
      '2026-04-01T21:00:00Z',
      '2026-04-01',
      '2026-02-30T00:00:00Z',
      '2999-01-01T00:00:00Z',
      '1800-01-01T00:00:00Z',
      'now',
    ],
  ],
]

/** The texts to send for a parameter: fixed ones by its name, else by what its schema allows. */
export function valuesFor(name: string, schema: Schema): string[] {
  const known = byName.find(([pattern]) => pattern.test(name))?.[1] ?? bySchema(schema)
  return [...new Set([...known, ...anyText])]
}

function bySchema(schema: Schema): readonly string[] {
  const kinds = schema.anyOf ?? [schema]
  const options = kinds.flatMap((kind) => kind.enum ?? [])
  if (options.length > 0) return [...options, options[0]?.toUpperCase() ?? '', `${options[0]} `, 'none', '1']
  if (kinds.some(({ type }) => type === 'boolean')) return ['true', 'false', 'True', '1', '0', 'yes', 'on']
  const limit = kinds.find(({ maxLength }) => maxLength !== undefined)?.maxLength
  if (limit !== undefined)
    return ['長い', ' 空白 ', '改行\n二行目', 'あ'.repeat(limit), '🍥'.repeat(limit + 1)]
  return ['a', 'b']
}

/** Values of JSON that are no text. */
export const jsonValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 53,
  [],
  {},
  [1],
  ['1'],
  [null],
  [[1]],
  '\ud800',
]

/** What is sent for what a write needs, by name, so that one other parameter can be looked at. */
export const valid: Readonly<Record<string, string>> = {
  episode_id: '11',
  episode_ids: '12,13',
  work_id: '1',
  body: '本文',
  kind: 'watching',
  channel_id: '1',
  username: 'yui',
}

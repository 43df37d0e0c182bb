import { ids, type Row, range } from './pack-rows'
import { work } from './pack-works'

/** A small fixed catalogue as JSON Lines: 60 works and a few rows of every other type. */
export function packLines(): string {
  const head = { type: 'catalogue', version: 1, name: 'answers', preserve_ids: ['annict'] }
  const rows = [head, ...series(), ...channels(), ...people(), ...range(60).flatMap(work)]
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

const series = (): Row[] =>
  range(8).map((n) => ({
    type: 'series',
    key: `a:s${n}`,
    ...ids(n),
    name: `シリーズ${n}`,
    name_en: `Series ${n}`,
  }))

const channels = (): Row[] => [
  { type: 'channel_group', key: 'a:g1', name: '地上波', sort_number: 1 },
  ...range(6).map((n) => ({
    type: 'channel',
    key: `a:ch${n}`,
    ...ids(n),
    name: `チャンネル${n}`,
    group: 'a:g1',
    vod: n === 6,
  })),
]

const people = (): Row[] => [
  ...range(30).map((n) => ({
    type: 'person',
    key: `a:p${n}`,
    ...ids(n),
    name: `人物${n}`,
    ...(n % 2 === 0 && {
      name_kana: `じんぶつ${n}`,
      name_en: `Person ${n}`,
      gender: 'female',
      birthday: '1990-02-03',
    }),
    ...(n % 5 === 0 && {
      prefecture: '東京都',
      height: 160 + n,
      url: 'https://person.example/',
      blood_type: 'a',
    }),
  })),
  ...range(8).map((n) => ({
    type: 'organization',
    key: `a:o${n}`,
    ...ids(n),
    name: `スタジオ${n}`,
    name_en: `Studio ${n}`,
  })),
  ...range(30).map((n) => ({
    type: 'character',
    key: `a:c${n}`,
    ...ids(n),
    name: `役${n}`,
    ...(n % 3 === 0 && {
      series: `a:s${(n % 8) + 1}`,
      description: '説明。',
      age: '16',
      nationality: '日本',
    }),
  })),
]

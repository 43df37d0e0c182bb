type Row = Readonly<Record<string, unknown>>

const seasons = ['winter', 'spring', 'summer', 'autumn']
const media = ['tv', 'ova', 'movie', 'web', 'other']
const words = [
  '極光',
  '星空',
  'ひかり',
  'カフェ',
  'Journey',
  '100%',
  'snake_case',
  '図書館',
  'Ａｌｐｈａ',
  'がっこう',
]

/** A small fixed catalogue as JSON Lines: 60 works and a few of everything else. */
export function packLines(): string {
  const head = { type: 'catalogue', version: 1, name: 'answers', preserve_ids: ['annict'] }
  const rows = [head, ...series(), ...channels(), ...people(), ...range(60).flatMap(work)]
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const pick = <T>(list: readonly T[], i: number): T | undefined => list[i % list.length]
const ids = (n: number) => (n % 4 === 0 ? {} : { ids: { annict: n, ...(n % 3 === 0 && { mal: 900 + n }) } })

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

function work(n: number): Row[] {
  const key = `a:w${n}`
  const images = {
    recommended_url: `https://images.example/${n}.jpg`,
    avatar_mini_url: `https://images.example/${n}m.png`,
  }
  const row = {
    type: 'work',
    key,
    ...ids(n),
    title: `${pick(words, n)}の旅 ${n}`,
    ...(n % 2 === 0 && { title_kana: `たび${n}`, title_en: `Trip ${n}`, title_ro: `Tabi ${n}` }),
    media: pick(media, n),
    ...(n % 7 !== 0 && { season_name: `${2022 + (n % 5)}-${n % 11 === 0 ? 'all' : pick(seasons, n)}` }),
    ...(n % 3 === 0 && {
      released_on: `2023-0${(n % 9) + 1}-10`,
      official_site_url: `https://work.example/${n}`,
    }),
    ...(n % 5 === 0 && {
      images,
      twitter_username: `work${n}`,
      twitter_hashtag: `w${n}`,
      aliases: [`別名${n}`],
    }),
    ...(n % 10 === 0 && { no_episodes: true, wikipedia_url: `https://ja.wikipedia.example/${n}` }),
    ...(n % 6 === 0 && { series: [`a:s${(n % 8) + 1}`] }),
  }
  return [row, ...(n % 10 === 0 ? [] : episodes(n, key)), ...credits(n, key)]
}

const episodes = (n: number, key: string): Row[] =>
  range((n % 4) + 2).flatMap((e) => [
    {
      type: 'episode',
      key: `${key}e${e}`,
      work: key,
      ...ids(n * 10 + e),
      ...(e !== 2 && { number: String(e) }),
      number_text: `第${e}話`,
      sort_number: e * 10,
      title: e === 3 ? '' : `話${n}-${e}`,
    },
    ...(n % 3 === 0
      ? [
          {
            type: 'program',
            key: `${key}b${e}`,
            channel: `a:ch${(n % 6) + 1}`,
            work: key,
            episode: `${key}e${e}`,
            started_at: new Date(Date.UTC(2026, 9, 20 + e * 5, n % 24, 30)).toISOString(),
            rebroadcast: n % 9 === 0,
          },
        ]
      : []),
  ])

const credits = (n: number, key: string): Row[] => [
  {
    type: 'cast',
    work: key,
    character: `a:c${(n % 30) + 1}`,
    person: `a:p${(n % 30) + 1}`,
    name: `人物${n}名義`,
    sort_number: n % 5,
  },
  { type: 'staff', work: key, person: `a:p${((n * 7) % 30) + 1}`, role: 'director', sort_number: 10 },
  {
    type: 'staff',
    work: key,
    organization: `a:o${(n % 8) + 1}`,
    role: 'other',
    role_other: '制作協力',
    sort_number: 20,
  },
]

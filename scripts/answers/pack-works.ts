import { ids, type Row, range } from './pack-rows'

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

const pick = <T>(list: readonly T[], i: number): T | undefined => list[i % list.length]

export function work(n: number): Row[] {
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

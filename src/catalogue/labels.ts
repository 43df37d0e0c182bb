/** Japanese names in the API (D5). */
export const mediaLabels = { tv: 'TV', ova: 'OVA', movie: '映画', web: 'Web', other: 'その他' } as const

const seasonLabels = { winter: '冬', spring: '春', summer: '夏', autumn: '秋' } as const

export const genderLabels = { male: '男性', female: '女性' } as const

export const roleLabels = {
  original_creator: '原作',
  chief_director: '総監督',
  director: '監督',
  series_composition: 'シリーズ構成',
  script: '脚本',
  original_character_design: 'キャラクター原案',
  character_design: 'キャラクターデザイン',
  chief_animation_director: '総作画監督',
  animation_director: '作画監督',
  art_director: '美術監督',
  sound_director: '音響監督',
  music: '音楽',
  studio: 'アニメーション制作',
  other: 'その他',
} as const

/** Blank for an unknown word. */
export const labelOf = (labels: Readonly<Record<string, string>>, word: string) => labels[word] ?? ''

/** `2021-spring`, `2021-all` for a year-only work, blank without a year (D23). */
export const seasonName = (year: number | null, season: string | null) =>
  year === null ? '' : `${year}-${season ?? 'all'}`

/** `2021年春`, `2021年`, or blank (D23). */
export const seasonText = (year: number | null, season: string | null) =>
  year === null ? '' : `${year}年${season === null ? '' : labelOf(seasonLabels, season)}`

/** Bounds of `works.season_rank` for `filter_season`; `all` is the whole year (D10). */
export function seasonRanks({ year, season }: { year: number; season: string }): {
  from: number
  to: number
} {
  const place = Object.keys(seasonLabels).indexOf(season)
  const first = year * 10
  return place < 0 ? { from: first + 1, to: first + 5 } : { from: first + place + 1, to: first + place + 1 }
}

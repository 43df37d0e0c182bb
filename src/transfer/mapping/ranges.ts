import { type Fields, fieldsOf, textIn } from '../readers/fields'

export const mappingKinds = ['anime-lists', 'anibridge', 'fribb'] as const
export type MappingKind = (typeof mappingKinds)[number]

/** Episodes of a season elsewhere that are episodes of a work, whose id at a third site is known. */
export interface MappedRange {
  readonly site: 'tvdb' | 'tmdb'
  readonly series: number
  /** Null for any; `absolute` for numbers that run on through all seasons. */
  readonly season: number | null
  readonly first: number
  /** Null for no end. */
  readonly last: number | null
  readonly ns: 'anidb' | 'mal' | 'anilist'
  readonly id: string
  /** Added to the number; null if the episodes are none of the work's numbered ones. */
  readonly shift: number | null
  /** A single episode before a range, a range before the rest of its season, all of them before the series. */
  readonly rank: (typeof ranks)[keyof typeof ranks]
}

export const absolute = -1
export const ranks = { single: 0, range: 1, rest: 2, series: 3 } as const

/** An `<anime>` of Anime-Lists: its attributes, and each `<mapping>` in it with its text. */
export interface AnimeElement {
  readonly attributes: Readonly<Record<string, string>>
  readonly mappings: readonly {
    readonly attributes: Readonly<Record<string, string>>
    readonly text: string
  }[]
}

/** `0` stands for nowhere. Undefined if the element says nothing that can be used. */
export function rangesOfAnime({ attributes, mappings }: AnimeElement): readonly MappedRange[] {
  const id = attributes.anidbid ?? ''
  if (!isId(id)) return []
  const sites = [
    {
      site: 'tvdb',
      series: attributes.tvdbid,
      season: attributes.defaulttvdbseason,
      offset: attributes.episodeoffset,
    },
    { site: 'tmdb', series: attributes.tmdbtv, season: attributes.tmdbseason, offset: attributes.tmdboffset },
  ] as const
  return sites.flatMap(({ site, series = '', season, offset }) => {
    if (!isId(series)) return []
    const of = { site, series: Number(series), ns: 'anidb', id } as const
    const own = seasonIn(season)
    const rest =
      own === undefined
        ? []
        : [
            {
              ...of,
              season: own,
              first: (wholeIn(offset) ?? 0) + 1,
              last: null,
              shift: 0 - (wholeIn(offset) ?? 0),
              rank: ranks.rest,
            },
          ]
    return [...rest, ...mappings.flatMap((one) => rangesOfMapping(of, one))].filter(({ first }) => first >= 0)
  })
}

type OfSeries = Pick<MappedRange, 'site' | 'series' | 'ns' | 'id'>

function rangesOfMapping(
  of: OfSeries,
  { attributes, text }: AnimeElement['mappings'][number],
): readonly MappedRange[] {
  const season = seasonIn(of.site === 'tvdb' ? attributes.tvdbseason : attributes.tmdbseason)
  if (season === undefined) return []
  // Season 0 of AniDB are specials, which have numbers of their own.
  const isSpecial = attributes.anidbseason === '0'
  const shifted = (by: number) => (isSpecial ? null : by)
  const singles = text.split(';').flatMap((pair) => {
    const [, number, places = ''] = /^\s*(\d{1,4})-(\d{1,4}(?:\+\d{1,4})*)\s*$/.exec(pair) ?? []
    if (number === undefined) return []
    return places.split('+').flatMap((place) =>
      place === '0'
        ? []
        : [
            {
              ...of,
              season,
              first: Number(place),
              last: Number(place),
              shift: shifted(Number(number) - Number(place)),
              rank: ranks.single,
            },
          ],
    )
  })
  const [start, end, offset = 0] = [
    wholeIn(attributes.start),
    wholeIn(attributes.end),
    wholeIn(attributes.offset),
  ]
  if (start === undefined) return singles
  const range = {
    first: start + offset,
    last: end === undefined ? null : end + offset,
    shift: shifted(0 - offset),
  }
  return [...singles, { ...of, season, ...range, rank: ranks.range }]
}

const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text)

const wholeIn = (text = ''): number | undefined =>
  /^-?\d{1,4}$/.test(text.trim()) ? Number(text) : undefined

const seasonIn = (text = ''): number | undefined => (text === 'a' ? absolute : wholeIn(text))

/** A key of AniBridge's mappings, version 3, and what it leads to; other keys say nothing here. */
export function rangesOfDescriptor(key: string, value: unknown): readonly MappedRange[] {
  const [, site, series = '', season] = /^(tvdb|tmdb)_show:([1-9]\d{0,8})(?::s(\d{1,4}))?$/.exec(key) ?? []
  if (site !== 'tvdb' && site !== 'tmdb') return []
  const of = {
    site,
    series: Number(series),
    season: season === undefined ? absolute : Number(season),
  } as const
  return Object.entries(fieldsOf(value)).flatMap(([target, ranges]) => {
    const [, ns, id = '', scope = 'R'] = /^(anidb|mal|anilist):([1-9]\d{0,8})(?::(\w+))?$/.exec(target) ?? []
    if (ns !== 'anidb' && ns !== 'mal' && ns !== 'anilist') return []
    return Object.entries(fieldsOf(ranges)).flatMap(([from, to]): MappedRange[] => {
      return pairsIn(from, textIn(to)).map(({ here, there }) => {
        const shift = scope === 'R' ? there.first - here.first : null
        return { ...of, ...here, ns, id, shift, rank: ranks.range }
      })
    })
  })
}

type NumberRange = Pick<MappedRange, 'first' | 'last'>

/** `13-24`, `14-` or `7`; not with a ratio, where an episode is several elsewhere. */
function rangeIn(text: string): NumberRange | undefined {
  const [, first, dash, last] = /^(\d{1,4})(-)?(\d{1,4})?$/.exec(text.trim()) ?? []
  if (first === undefined) return undefined
  if (dash === undefined) return { first: Number(first), last: Number(first) }
  return { first: Number(first), last: last === undefined ? null : Number(last) }
}

/** `1-12` and `1-6,8-13` are `1-6` and `1-6`, `7-12` and `8-13`. None if one of them is not as long as the other. */
function pairsIn(from: string, to: string): { readonly here: NumberRange; readonly there: NumberRange }[] {
  const whole = rangeIn(from)
  const parts = to.split(',').map(rangeIn)
  if (whole === undefined || parts.length > mostParts) return []
  const [only] = parts
  if (parts.length === 1)
    return only !== undefined && isAsLong(whole, only) ? [{ here: whole, there: only }] : []
  const pairs: { readonly here: NumberRange; readonly there: NumberRange }[] = []
  let { first } = whole
  for (const there of parts) {
    // An end is needed to know where the next part begins.
    if (there?.last == null) return []
    const last = first + there.last - there.first
    pairs.push({ here: { first, last }, there })
    first = last + 1
  }
  return whole.last === first - 1 ? pairs : []
}

const mostParts = 100

const isAsLong = (one: NumberRange, other: NumberRange): boolean =>
  one.last === null || other.last === null || one.last - one.first === other.last - other.first

/** An entry of Fribb's list, which only says which series a work is of. */
export function rangesOfEntry(entry: Fields): readonly MappedRange[] {
  const season = fieldsOf(entry.season)
  const film = textIn(entry.type).toUpperCase() === 'MOVIE'
  const tmdb = fieldsOf(entry.themoviedb_id).tv ?? (film ? undefined : entry.themoviedb_id)
  const series = [
    { site: 'tvdb', series: textIn(entry.tvdb_id ?? entry.thetvdb_id), season: textIn(season.tvdb) },
    { site: 'tmdb', series: textIn(tmdb), season: textIn(season.tmdb) },
  ] as const
  const ids = [
    { ns: 'mal', id: textIn(entry.mal_id) },
    { ns: 'anilist', id: textIn(entry.anilist_id) },
    { ns: 'anidb', id: textIn(entry.anidb_id) },
  ] as const
  const known = ids.find(({ id }) => isId(id))
  if (known === undefined) return []
  return series.flatMap((one) =>
    isId(one.series)
      ? [
          {
            ...known,
            ...one,
            series: Number(one.series),
            season: wholeIn(one.season) ?? null,
            first: 0,
            last: null,
            shift: null,
            rank: ranks.series,
          },
        ]
      : [],
  )
}

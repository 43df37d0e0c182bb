import type { Credits } from '../../credits'
import type { CatalogueWork, Known } from '../../known'
import type { CatalogueLine } from '../../source'
import { type SyobocalProgram, type SyobocalTitle, shortened } from './answers'
import { type Comment, readComment } from './comment'
import { monthOf, seasonAt, seasonName } from './times'

/** The medium of each category: anime, including finished ones, OVAs and films. Others are ignored. */
export const mediaOf: Readonly<Record<number, string>> = { 1: 'tv', 10: 'tv', 7: 'ova', 8: 'movie' }

function workLine(
  title: SyobocalTitle,
  comment: Comment,
  programs: readonly SyobocalProgram[],
  known: CatalogueWork | undefined,
): CatalogueLine {
  const media = mediaOf[title.category]
  const fields = {
    title: title.title,
    title_kana: title.kana,
    title_en: title.english,
    // With a different medium the line would be taken for another work.
    media: known === undefined || known.media === media ? media : undefined,
    // Annict's season applies to works that it lists (D58).
    season_name: known?.ids.has('annict') ? undefined : seasonOf(title, programs),
    official_site_url: comment.officialSite,
    wikipedia_url: wikipediaUrl(title.keywords),
    aliases: title.shortTitle === '' || title.shortTitle === title.title ? undefined : [title.shortTitle],
  }
  return {
    type: 'work',
    key: `syobocal:${title.tid}`,
    ids: { syobocal: title.tid },
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')),
  }
}

/** The season of the first broadcast; for series, of that day a week later (D59). Broadcasts years later are reruns. */
function seasonOf(
  { category, firstYear, firstMonth }: SyobocalTitle,
  programs: readonly SyobocalProgram[],
): string | undefined {
  const year = firstYear !== undefined && firstYear >= 1900 && firstYear < 3000 ? firstYear : undefined
  const month = firstMonth !== undefined && firstMonth >= 1 && firstMonth <= 12 ? firstMonth : undefined
  const isFirst = ({ count, flag, startedAt }: SyobocalProgram) =>
    count === 1 &&
    startedAt > 0 &&
    (flag & again) === 0 &&
    (year === undefined || Math.abs(monthOf(startedAt) - (year * 12 + (month ?? 1) - 1)) <= near)
  const first = programs.filter(isFirst).map(({ startedAt }) => startedAt)
  if (first.length > 0) return seasonAt(Math.min(...first), mediaOf[category] === 'tv' ? 7 : 0)
  return year === undefined ? undefined : seasonName(year, month)
}

/** The bit that marks a rerun. */
export const again = 8
/** In months. */
const near = 2

/** The first keyword that names a Wikipedia article: `wikipedia:星屑ポストマン`. */
function wikipediaUrl(keywords: string): string | undefined {
  const [, name = ''] = /(?:^|,)\s*wikipedia:([^,]+)/i.exec(keywords) ?? []
  if (name.trim() === '') return undefined
  const parts = name.trim().toWellFormed().replaceAll(' ', '_').split('#').map(encodeURIComponent)
  return `https://ja.wikipedia.org/wiki/${parts.join('#')}`
}

export interface TitledEpisode {
  readonly number: number
  readonly title: string
}

export const episodeKey = (tid: number, number: number): string =>
  `syobocal:${tid}#${String(number).padStart(2, '0')}`

/** The episodes the title lists, one `*01*title` per line, and those broadcast beyond the list. */
function episodesOf(title: SyobocalTitle | undefined, programs: readonly SyobocalProgram[]): TitledEpisode[] {
  const episodes = new Map<number, TitledEpisode>()
  for (const line of title?.subtitles.split(/\r?\n/).slice(-mostListed) ?? []) {
    const [, digits = '', text = ''] = /^\*(.*?)\*(.*)$/.exec(line) ?? []
    const number = /^\d{1,6}(?:\.\d{1,2})?$/.test(digits.trim()) ? Number(digits) : undefined
    if (number !== undefined && !episodes.has(number))
      episodes.set(number, { number, title: shortened(text.trim()) })
  }
  for (const program of programs.filter(({ isDeleted }) => !isDeleted)) {
    for (const [at, number] of numbersOf(program).entries()) {
      const listed = episodes.get(number)?.title ?? ''
      if (listed === '') episodes.set(number, { number, title: at === 0 ? program.listedSubtitle : '' })
    }
  }
  return [...episodes.values()].toSorted((one, other) => one.number - other.number)
}

/** Fewer than a work may have, because broadcasts add some. */
const mostListed = 3500

/** The episodes broadcast together: `#1～#2` are two. */
export function numbersOf({ count, subtitle }: SyobocalProgram): number[] {
  if (count !== undefined) return count >= 1 && count < 1_000_000 ? [count] : []
  const [, first, last] = /^[#＃](\d{1,6})\s*[～〜~\-－]\s*[#＃]?(\d{1,6})(?!\d)/.exec(subtitle) ?? []
  const [from, to] = [Number(first), Number(last)]
  return from >= 1 && to > from && to - from < mostAtOnce
    ? Array.from({ length: to - from + 1 }, (_, n) => from + n)
    : []
}

const mostAtOnce = 30

const episodeLine = (tid: number, { number, title }: TitledEpisode): CatalogueLine => ({
  type: 'episode',
  key: episodeKey(tid, number),
  work: `syobocal:${tid}`,
  number: String(number),
  number_text: `第${number}話`,
  sort_number: Math.round(number * 10),
  ...(title !== '' && { title }),
})

/** Lines of one title: the work if it was in an answer, its episodes, and its credits unless a better source has some. */
export function* titleLines(
  tid: number,
  title: SyobocalTitle | undefined,
  programs: readonly SyobocalProgram[],
  { known, credits }: { readonly known: Known; readonly credits: Credits },
): Generator<CatalogueLine> {
  const comment = readComment(title?.comment ?? '')
  const work = known.work('syobocal', String(tid))
  if (title !== undefined) yield workLine(title, comment, programs, work)
  for (const episode of episodesOf(title, programs)) yield episodeLine(tid, episode)
  if (title === undefined || known.hasBetterCredits('syobocal', String(tid), 'syobocal')) return
  yield* credits.staff(String(tid), comment.staff)
  yield* credits.casts(String(tid), comment.casts)
}

import type { Media } from './sources'
import type { WorkIds } from './work-ids'
import type { JoinedWork } from './works'

export interface SeriesLine {
  type: 'series'
  key: string
  name: string
}

/** TMDB shows with two or more works, in broadcast order. */
export function seriesLines(works: Part[]): SeriesLine[] {
  const shows = Map.groupBy(works, ({ ids }) => seriesKey(ids))
  return [...shows].flatMap(([key, parts]) =>
    key && parts.length > 1
      ? [
          {
            type: 'series',
            key,
            name: seriesName(parts.map(({ title, item }) => ({ title, type: item?.type }))),
          },
        ]
      : [],
  )
}

type Part = Pick<JoinedWork, 'title' | 'item' | 'ids'>

/** The key of the TMDB show, also for one of its seasons or episodes; not every show becomes a series. */
export function seriesKey({ tmdb = '' }: WorkIds): string | undefined {
  const show = /^tv\/\d+/.exec(tmdb)?.[0]
  return show && `tmdb:${show}`
}

/** The common prefix of the titles or, if that is too short, the first title on television. */
export function seriesName(items: TitledPart[]): string {
  const titles = items.map(({ title }) => title)
  const beginning = titles.reduce(sharedBeginning)
  const name = titles.includes(beginning) ? beginning : withoutLooseEnd(beginning)
  if ([...name].length >= 3) return name
  return (items.find(({ type }) => type === 'tv') ?? items[0])?.title ?? ''
}

interface TitledPart {
  title: string
  type: Media | undefined
}

/** The prefix that the first title shares with the second, ignoring width and spaces. */
function sharedBeginning(first: string, second: string): string {
  const letters = foldedLetters(first)
  const others = foldedLetters(second)
  const parting = letters.findIndex(({ folded }, place) => folded !== others[place]?.folded)
  if (parting < 0) return first
  return wholeWords(first, letters[parting]?.start ?? 0)
}

function foldedLetters(title: string): { folded: string; start: number }[] {
  return [...title.matchAll(/\S/gu)].flatMap(({ 0: letter, index }) =>
    [...fold(letter)].map((folded) => ({ folded, start: index })),
  )
}

const fold = (letter: string) => letter.normalize('NFKC').toLowerCase().replace('〜', '~')

// TRIGUN STAMPEDE and TRIGUN STARGAZE share TRIGUN; 2015 and 2016 share nothing.
function wholeWords(title: string, end: number): string {
  const isWithinWord = /[a-z][a-z]|\d\d/i.test(title.slice(Math.max(end - 1, 0), end + 1))
  return isWithinWord ? title.slice(0, end).replace(/[a-z]+$|\d+$/i, '') : title.slice(0, end)
}

// Cuts off the beginning of an unfinished subtitle or season number.
const withoutLooseEnd = (beginning: string) =>
  looseEnds.reduce((name, looseEnd) => name.replace(looseEnd, ''), withoutOpenTilde(beginning))

const looseEnds = [
  // an open bracket
  /[(（[【「『][^)）\]】」』]*$/u,
  // a dash that opens a subtitle, or is all that is left of one
  /\s[-‐–—―－][^-‐–—―－]*$/u,
  /(?<=^[^-‐–—―－]*)[-‐–—―－]$/u,
  /\s*(?:\b(?:the|season|part)|シーズン|パート|第)\s*$/iu,
  /[\s:：・、,&＆#+＋]+$/u,
]

// Tildes enclose subtitles; with an odd number, one has no partner.
function withoutOpenTilde(beginning: string): string {
  const tildes = [...beginning.matchAll(/[~～〜]/gu)]
  return tildes.length % 2 === 1 ? beginning.slice(0, tildes.at(-1)?.index) : beginning
}

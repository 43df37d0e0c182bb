import type { Database } from 'bun:sqlite'
import { wordsOf } from '../src/catalogue/search/keys/keys'
import { seasonIn } from '../src/catalogue/search/ways/season'
import { type Random, seeded } from './random'

/** What is typed, how, and the work it means. */
export interface MadeQuery {
  readonly kind: string
  readonly q: string
  readonly id: number
}

interface Meant {
  readonly id: number
  readonly title: string
  readonly title_en: string
  readonly year: number | null
  readonly popularity: number
  /** Kana with spaces between words; generated from the title. */
  readonly reading: string | null
  readonly aliases: readonly string[]
  /** Whether an earlier work's title is the beginning of this one. */
  readonly isLater: boolean
}

/** Queries as people mistype, abbreviate and complete titles, aliases and readings of works that are known. */
export function madeQueries(handle: Database, count: number, seed = 2026): readonly MadeQuery[] {
  const random = seeded(seed)
  const works = knownWorks(handle)
  const kinds = Object.entries(ways)
  const made = new Map<string, MadeQuery>()
  for (let turn = 0; made.size < count; turn += 1) {
    const work = works[random(works.length)]
    const [kind, write] = kinds[turn % kinds.length] ?? []
    const q = work && write?.(work, random)?.trim()
    if (work === undefined || kind === undefined || q === undefined || [...q].length < 3) continue
    made.set(`${kind} ${q}`, { kind, q, id: work.id })
  }
  return [...made.values()]
}

/** Undefined if the work cannot be written so. */
type Way = (work: Meant, random: Random) => string | undefined

const ways: Readonly<Record<string, Way>> = {
  'one letter wrong': ({ title }, random) => mistyped(title, random, 4),
  'one letter of English wrong': ({ title_en, isLater }, random) =>
    isLater ? undefined : mistyped(title_en, random, 6),
  Hepburn: ({ reading, isLater }, random) => (isLater ? undefined : hepburn(reading, random)),
  'Hepburn with words': ({ reading, isLater }, random) =>
    isLater ? undefined : hepburn(reading, random, ' '),
  'two words': ({ title, isLater }, random) => (isLater ? undefined : someWords(title, 2, random)),
  'three words': ({ title, isLater }, random) => (isLater ? undefined : someWords(title, 3, random)),
  'words of English': ({ title_en, isLater }, random) =>
    isLater ? undefined : someWords(title_en.replace(/\b\w{1,3}\b/g, ''), 2, random),
  'words joined': ({ title, isLater }, random) => (isLater ? undefined : joinedWords(title, random)),
  'beginning of the title': ({ title, isLater }, random) => (isLater ? undefined : beginning(title, random)),
  'beginning of the reading': ({ reading, isLater }, random) =>
    isLater || reading === null ? undefined : beginning(reading.replaceAll(' ', ''), random),
  'an inner part': ({ title, isLater }, random) => (isLater ? undefined : innerPart(title, random)),
  'with its year': ({ title, year, isLater }, random) =>
    year === null || isLater
      ? undefined
      : `${baseOf(title)}${pick([` ${year}`, ` (${year})`, ` ${year}年`, `${year}`], random)}`,
  'season otherwise': ({ title }, random) => otherSeason(title, random),
  'numerals otherwise': ({ title }, random) => otherNumerals(title, random),
  'marks otherwise': ({ title }, random) => otherMarks(title, random),
  'without the article': ({ title_en }) =>
    /^(?:the|a|an) /i.test(title_en) ? title_en.replace(/^\w+ /, '') : undefined,
  'with an article': ({ title_en, isLater }, random) =>
    isLater || /^(?:the|a|an) |^$/i.test(title_en) ? undefined : `${pick(['the ', 'a '], random)}${title_en}`,
  'another name': ({ aliases }, random) => pick(aliases, random),
  'another name, one letter wrong': ({ aliases }, random) => mistyped(pick(aliases, random) ?? '', random, 5),
}

/** Works that are popular elsewhere, and of several with one title only the first. */
function knownWorks(handle: Database): readonly Meant[] {
  const rows = handle
    .query<Omit<Meant, 'aliases' | 'isLater'> & { aliases: string }, []>(
      `select id, title, title_en, season_year as year, popularity,
        (select title from search_names where work_id = works.id and is_reading = 1 limit 1) as reading,
        (select json_group_array(title) from (
          select title from work_aliases where work_id = works.id order by title)) as aliases
      from works where popularity >= 40 and hidden = 0 order by season_rank, id`,
    )
    .all()
  const seen = new Set<string>()
  const known: Meant[] = []
  for (const row of rows) {
    const base = baseOf(row.title).replaceAll(/[^\p{L}\p{N}]/gu, '')
    if (seen.has(row.title)) continue
    seen.add(row.title)
    const isLater =
      [...seen].some((title) => title !== row.title && title.length > 2 && startsAlike(title, row.title)) ||
      known.some(({ title_en }) => title_en !== '' && startsAlike(title_en, row.title_en))
    known.push({ ...row, aliases: JSON.parse(row.aliases), isLater: isLater || base === '' })
  }
  return known
}

/** Two neighbouring words of two kanji or three letters, without what stands between them. */
function joinedWords(title: string, random: Random): string | undefined {
  const words = wordsOf(title).filter((word) =>
    /\p{Script=Han}{2}|[\p{Script=Katakana}ー]{3}|[a-z]{4}/iu.test(word),
  )
  const at = random(Math.max(1, words.length - 1))
  return words.length < 2 ? undefined : words.slice(at, at + 2).join('')
}

const startsAlike = (title: string, other: string) =>
  [...other].slice(0, 4).join('') === [...title].slice(0, 4).join('')

const baseOf = (title: string) => seasonIn(title)?.base ?? title

function pick<T>(some: readonly T[], random: Random): T | undefined {
  return some[random(some.length)]
}

/** One letter left out, doubled, swapped or replaced by a neighbour; the first two stay. */
function mistyped(text: string, random: Random, least: number): string | undefined {
  const letters = [...text]
  if (letters.filter((letter) => /[\p{L}\p{N}]/u.test(letter)).length < least) return undefined
  const at = 2 + random(letters.length - 2)
  const [letter = '', next = ''] = letters.slice(at)
  if (!/[\p{L}\p{N}]/u.test(letter) || /\p{N}/u.test(letter)) return undefined
  const wrong = /[a-z]/i.test(letter) ? pick([...'aeinorst'], random) : pick([...'あいのしンスー人'], random)
  const changes = [[wrong], [letter, letter], [], [next, letter]]
  const change = changes[random(changes.length)] ?? []
  const end = change.length === 2 && change[0] === next ? at + 2 : at + 1
  const result = [...letters.slice(0, at), ...change, ...letters.slice(end)].join('')
  return result === text ? undefined : result
}

function someWords(title: string, count: number, random: Random): string | undefined {
  const words = [...new Set(wordsOf(title).filter((word) => /\p{Script=Han}|.{2}/u.test(word)))]
  if (words.length < count || words.join('').length < count + 2) return undefined
  const chosen: string[] = []
  while (chosen.length < count) chosen.push(...words.splice(random(words.length), 1))
  return chosen.every((word) => /^\p{Script=Hiragana}+$/u.test(word)) ? undefined : chosen.join(' ')
}

function beginning(text: string, random: Random): string | undefined {
  const letters = [...text]
  return letters.length < 7
    ? undefined
    : letters.slice(0, 5 + random(Math.min(letters.length - 5, 6))).join('')
}

/** What stands between spaces, tildes and brackets, or the end of a long title. */
function innerPart(title: string, random: Random): string | undefined {
  const parts = title.split(/[\s〜～~「」『』【】()（）:：・\-‐―]+/).filter((part) => [...part].length > 3)
  return parts.length < 2 ? undefined : parts[1 + random(parts.length - 1)]
}

function otherSeason(title: string, random: Random): string | undefined {
  const said = seasonIn(title)
  if (said === undefined || typeof said.season !== 'number' || said.isPart || said.season > 6)
    return undefined
  const n = said.season
  const roman = ['', 'I', 'II', 'III', 'IV', 'V', 'VI'][n] ?? ''
  const kanji = ['', '一', '二', '三', '四', '五', '六'][n] ?? ''
  const forms = [
    ` ${n}期`,
    `${n}期`,
    ` 第${n}期`,
    ` 第${kanji}期`,
    ` s${n}`,
    ` season ${n}`,
    ` ${n}`,
    ` ${roman}`,
    ` シーズン${n}`,
  ]
  return `${said.base}${pick(forms, random)}`
}

function otherNumerals(title: string, random: Random): string | undefined {
  const figures = '〇一二三四五六七八九'
  const other = title.replace(
    /(?<!\d)\d(?!\d)/,
    (digit) =>
      pick([figures.charAt(Number(digit)), String.fromCharCode(0xff10 + Number(digit))], random) ?? '',
  )
  return other === title ? undefined : other
}

function otherMarks(title: string, random: Random): string | undefined {
  const other = title.replaceAll(/[^\p{L}\p{N}\s]/gu, () => pick(['', ' ', ''], random) ?? '')
  return other === title || other.trim() === '' ? undefined : other
}

/** By Hepburn, with the spellings of long vowels that people use. */
function hepburn(reading: string | null, random: Random, between = ''): string | undefined {
  if (reading === null || !/^[ぁ-ゖー ]+$/.test(reading) || reading.length < 4) return undefined
  const plain = reading
    .split(' ')
    .map((word) => word.replace(/(.[ゃゅょ]|.)/g, (kana) => romaji[kana] ?? kana))
    .map((word) =>
      word.replace(/っ(.)/g, (_, next: string) => (next === 'c' ? 'tc' : next + next)).replace('っ', ''),
    )
    .join(between)
  if (/[^a-z ー]/.test(plain)) return undefined
  const long = pick(
    [
      ['ou', 'o'],
      ['ou', 'ō'],
      ['ou', 'ou'],
      ['ou', 'oh'],
    ],
    random,
  ) ?? ['', '']
  const said = plain
    .replace(/(.)ー/g, pick(['$1', '$1$1', '$1-'], random) ?? '')
    .replaceAll(long[0] ?? '', long[1] ?? '')
  return random(2) === 0 ? said : said.replaceAll('uu', 'u')
}

const rows: readonly (readonly [string, string])[] = [
  ['', 'あいうえお'],
  ['k', 'かきくけこ'],
  ['s', 'さしすせそ'],
  ['t', 'たちつてと'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['m', 'まみむめも'],
  ['r', 'らりるれろ'],
  ['g', 'がぎぐげご'],
  ['z', 'ざじずぜぞ'],
  ['d', 'だぢづでど'],
  ['b', 'ばびぶべぼ'],
  ['p', 'ぱぴぷぺぽ'],
]
const irregular: Readonly<Record<string, string>> = {
  ...{ し: 'shi', ち: 'chi', つ: 'tsu', ふ: 'fu', じ: 'ji', ぢ: 'ji', づ: 'zu' },
  ...{ や: 'ya', ゆ: 'yu', よ: 'yo', わ: 'wa', を: 'wo', ん: 'n' },
}
const romaji: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    rows.flatMap(([letter, kana]) => [...kana].map((one, at) => [one, letter + 'aiueo'.charAt(at)])),
  ),
  ...irregular,
  ...Object.fromEntries(
    [...'きしちにひみりぎじびぴ'].flatMap((kana) => {
      const consonant =
        { し: 'sh', ち: 'ch', じ: 'j' }[kana] ?? `${rows.find(([, row]) => row.includes(kana))?.[0]}y`
      return ['ゃa', 'ゅu', 'ょo'].map(([small = '', vowel = '']) => [kana + small, consonant + vowel])
    }),
  ),
}

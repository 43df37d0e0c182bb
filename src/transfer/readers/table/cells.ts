import type { Media } from '../../../catalogue/default/sources'
import { type RatingState, ratingStates } from '../../../library/ratings'
import { type StatusKind, statusKinds } from '../../../library/statuses'
import { en } from '../../../messages/en'
import { ja } from '../../../messages/ja'
import type { Moment, PartialDate, Score } from '../../row'
import { countIn, dayIn, entryOf, instantIn, partialDateIn, scoreIn } from '../fields'
import { columnKey } from './columns'

/** Words of products and people for the statuses, besides those of kiroku's own languages. */
const statusWords: Readonly<Record<StatusKind, string>> = {
  watching:
    'watching currentlywatching current inprogress 見ている 観てる 観ている 視聴中 途中 repeating rewatching',
  watched:
    'watched completed complete finished seen done 観た 視聴済み 視聴済 視聴完了 見終わった 完走 完了 済み 済',
  on_hold: 'onhold hold paused stalled 中断 中断中 保留 一時停止',
  stop_watching: 'stopwatching dropped abandoned stopped 中止 視聴断念 断念 切った 切り',
  wanna_watch:
    'wannawatch plantowatch planned planning plan wanttowatch watchlist wishlist backlog ptw 観たい 視聴予定 これから見る 気になる 予定',
}

const marks: ReadonlySet<string> = new Set(['○', '◯', '✓', '✔', '☑', '◎'])

const table = <W extends string>(kinds: readonly W[], wordsOf: (kind: W) => readonly string[]) =>
  Object.fromEntries(kinds.flatMap((kind) => wordsOf(kind).map((word) => [columnKey(word), kind] as const)))

let statuses: Readonly<Record<string, StatusKind>> | undefined
let ratings: Readonly<Record<string, RatingState>> | undefined

/** A status in any language, case and spelling; a mark means watched. */
export function statusIn(cell: string): StatusKind | undefined {
  statuses ??= table(statusKinds, (kind) => [
    kind,
    en.statuses[kind],
    ja.statuses[kind],
    ...statusWords[kind].split(' '),
  ])
  return marks.has(cell.trim()) ? 'watched' : entryOf(statuses, columnKey(cell))
}

export function ratingIn(cell: string): RatingState | undefined {
  ratings ??= table(ratingStates, (state) => [state, en.ratings[state], ja.ratings[state]])
  return entryOf(ratings, columnKey(cell))
}

/** `8`, `8.5点`, `4/5`, `80%`, `★★★★☆`. */
export function tableScore(cell: string): Score | undefined {
  const text = cell.normalize('NFKC').replaceAll(/\s/g, '')
  if (/^[★☆]+$/.test(text)) {
    const [value, scale] = [text.replaceAll('☆', '').length, scaleOf(String(text.length))]
    return value === 0 ? undefined : { value, scale: scale ?? 5 }
  }
  const [, number, , of, percent] = /^(\d+(?:\.\d+)?)(点)?(?:\/(\d+)|(%))?$/.exec(text) ?? []
  const value = scoreIn(number)
  return value === undefined ? undefined : { value, scale: percent === undefined ? scaleOf(of) : 100 }
}

/** From 1 to 100; 0 for none. */
export function hundredIn(cell: string): number | undefined {
  const score = numberIn(cell)
  return score !== undefined && score <= 100 ? score : undefined
}

const scaleOf = (of: string | undefined): Score['scale'] =>
  ([3, 5, 10, 100] as const).find((scale) => String(scale) === of)

/** `12`, `12話`, `第12話`, `#12`, `Episode 12`, `全12話`, `12/24`. */
export function numberIn(cell: string): number | undefined {
  const text = cell.normalize('NFKC').trim()
  const [, number] =
    /^(?:第|全|#|ep\.?|episode)?\s*(\d+(?:\.0+)?)\s*(?:話|回|期|年|eps?\.?|episodes?)?(?:\s*\/\s*\d+\s*話?)?$/i.exec(
      text,
    ) ?? []
  return countIn(number)
}

const written =
  /^(\d{4})(?:[/.年-](\d{1,2})(?:[/.月-](\d{1,2})日?)?)?[月年]?(?:[ T　]+(\d{1,2}:\d\d(?::\d\d)?))?$/

/** `2024/5/1`, `2024年5月`, `2024.05.01`, as ISO 8601; undefined for other forms, such as `5/1/2024`. */
function isoIn(cell: string): { date: string; time: string | undefined } | undefined {
  const [, year, month, day, time] = written.exec(cell.normalize('NFKC').trim()) ?? []
  if (year === undefined) return undefined
  const parts = [month, day].flatMap((part) => (part === undefined ? [] : [part.padStart(2, '0')]))
  return { date: [year, ...parts].join('-'), time }
}

export const dateIn = (cell: string): PartialDate | undefined => partialDateIn(isoIn(cell)?.date ?? cell)

/** An instant, a time without a zone, or a day. */
export function momentIn(cell: string): Moment | undefined {
  const instant = instantIn(cell.trim().replace(' ', 'T'))
  if (instant !== undefined) return instant
  const { date = cell, time } = isoIn(cell) ?? {}
  const day = dayIn(date)
  if (day === undefined || time === undefined) return day
  return `${day}T${time.padStart(time.length > 5 ? 8 : 5, '0')}`
}

const media: readonly (readonly [RegExp, Media])[] = [
  [/movie|film|映画|劇場/, 'movie'],
  [/ova|oad|special|スペシャル/, 'ova'],
  [/ona|web|配信/, 'web'],
  [/^tv|series|tvアニメ|テレビ/, 'tv'],
]

const yes = new Set(['yes', 'y', 'true', 't', '1', 'x', 'private', 'onlyme', 'はい', '非公開', '自分だけ'])
const no = new Set(['no', 'n', 'false', 'f', '0', 'public', 'いいえ', '公開'])

/** Whether only its user may see it. */
export function privateIn(cell: string): boolean | undefined {
  const key = columnKey(cell)
  if (marks.has(cell.trim()) || yes.has(key)) return true
  return no.has(key) ? false : undefined
}

export const mediaIn = (cell: string): Media | undefined =>
  media.find(([words]) => words.test(columnKey(cell)))?.[1]

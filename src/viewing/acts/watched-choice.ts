import { type Precision, type WatchedColumns, watchedSaid } from '../../library/watched'
import type { Message } from '../../messages/languages'
import { readerTime } from '../../pages/local-format'
import { partialDate } from '../../values/time'
import { InvalidValue } from '../../values/value'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { isDecade, typedDate } from '../parts/typed-date'

interface WatchedChoice {
  readonly watched_at: string
  readonly precision: Precision | 'aired' | 'date' | undefined
}

/** Throws a `FormProblem` for `watched_at`. `airedOn`: the day of the broadcast, if known. */
export function watchedBy(
  visit: MemberVisit,
  { watched_at, precision }: WatchedChoice,
  airedOn?: string,
): WatchedColumns {
  const { now } = visit
  if (precision === 'date' && watched_at === '') throw wrong((t) => t.sheet.dateMissing)
  if (precision === 'aired' && airedOn === undefined) throw wrong((t) => t.sheet.airedUnknown)
  const today = readerTime(visit, now)
  const text = precision === 'aired' ? (airedOn ?? '') : typedDate(watched_at, today)
  const kept = precision === 'aired' || precision === 'date' ? undefined : precision
  const said = watchedSaid(text.trim(), kept, now)
  if (said instanceof InvalidValue) throw wrong(precision === 'date' ? dateRule(text, said) : said.rule)
  return said
}

/** For an unreadable date, the rule for dates only: the form does not ask for a time. */
function dateRule(text: string, said: InvalidValue): Message {
  if (isDecade(text)) return (t) => t.sheet.decade
  const date = partialDate.read(text)
  return date instanceof InvalidValue ? date.rule : said.rule
}

const wrong = (text: Message) => new FormProblem('watched_at', text)

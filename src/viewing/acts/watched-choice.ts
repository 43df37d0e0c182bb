import { type Precision, type WatchedColumns, watchedSaid } from '../../library/watched'
import type { Message } from '../../messages/languages'
import { InvalidValue } from '../../values/value'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

interface WatchedChoice {
  readonly watched_at: string
  readonly precision: Precision | 'aired' | 'date' | undefined
}

/** Throws a `FormProblem` of `watched_at`. `airedOn`: the day of the broadcast, if it is known. */
export function watchedBy(
  { deps }: MemberVisit,
  { watched_at, precision }: WatchedChoice,
  airedOn?: string,
): WatchedColumns {
  if (precision === 'date' && watched_at === '') throw wrong((t) => t.sheet.dateMissing)
  if (precision === 'aired' && airedOn === undefined) throw wrong((t) => t.sheet.airedUnknown)
  const text = precision === 'aired' ? (airedOn ?? '') : watched_at
  const kept = precision === 'aired' || precision === 'date' ? undefined : precision
  const said = watchedSaid(text.trim(), kept, deps.now())
  if (said instanceof InvalidValue) throw wrong(said.rule)
  return said
}

const wrong = (text: Message) => new FormProblem('watched_at', text)

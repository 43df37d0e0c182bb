import { trimmed } from '../../lib/white-space'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { queryText, type Visit } from '../../web/visit'

export const resultKinds = ['works', 'characters', 'people', 'organizations', 'users'] as const
export type ResultKind = (typeof resultKinds)[number]

export interface Asked {
  /** Trimmed; '' if there is none. */
  readonly text: string
  readonly kind: ResultKind
  /** Counts from 1. */
  readonly page: number
}

export function askedOf(visit: Visit): Asked {
  const kind = queryText(visit, 'kind')
  return {
    text: trimmed(queryText(visit, 'q')),
    kind: resultKinds.find((one) => one === kind) ?? 'works',
    page: readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1,
  }
}

/** In code points, as for `filter_query`. */
export const longestText = 200

export const isTooLong = ({ text }: Asked): boolean => [...text].length > longestText

export function searchPath({ text, kind, page }: Asked): string {
  const kindPart = kind === 'works' ? '' : `&kind=${kind}`
  return `/search?q=${encodeURIComponent(text)}${kindPart}${page === 1 ? '' : `&page=${page}`}`
}

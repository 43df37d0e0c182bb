import { findUsers } from '../../accounts/find-users'
import { findRows } from '../../catalogue/search/find'
import { trimmed } from '../../lib/white-space'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { queryText, type Visit } from '../../web/visit'
import { foundUsers } from './queries'

const resultKinds = ['works', 'characters', 'people', 'organizations', 'users'] as const
type ResultKind = (typeof resultKinds)[number]

export interface SearchQuery {
  /** Trimmed; '' if there is none. */
  readonly text: string
  readonly kind: ResultKind
  /** Counts from 1. */
  readonly page: number
}

export function searchQueryOf(visit: Visit): SearchQuery {
  const kind = queryText(visit, 'kind')
  return {
    text: trimmed(queryText(visit, 'q')),
    kind: resultKinds.find((one) => one === kind) ?? 'works',
    page: readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1,
  }
}

/** In code points, as for `filter_query`. */
export const longestText = 200

export const isTooLong = ({ text }: SearchQuery): boolean => [...text].length > longestText

export function searchPath({ text, kind, page }: SearchQuery): string {
  const kindPart = kind === 'works' ? '' : `&kind=${kind}`
  return `/search?q=${encodeURIComponent(text)}${kindPart}${page === 1 ? '' : `&page=${page}`}`
}

/** Ids of one kind, best match first. */
type FoundIds = readonly number[]

export interface SearchResults {
  /** Each kind with its number of results, up to `mostFound`; undefined for users unless they are requested. */
  readonly counts: readonly (readonly [kind: ResultKind, count: number | undefined])[]
  /** Of the requested kind and page. */
  readonly ids: FoundIds
  readonly total: number
  /** Counts from 1; at most the last page. */
  readonly page: number
  readonly pages: number
}

export async function find(visit: Visit, asked: SearchQuery): Promise<SearchResults> {
  const kinds = resultKinds.filter((kind) => kind !== 'users' || visit.session !== undefined)
  const found = new Map<ResultKind, FoundIds>()
  const counted = kinds.filter((kind) => kind !== 'users' || kind === asked.kind)
  for (const kind of counted) found.set(kind, await idsOf(visit, kind, asked.text))
  const all = found.get(asked.kind) ?? []
  const pages = Math.max(1, Math.ceil(all.length / rowsPerPage))
  const page = Math.min(asked.page, pages)
  return {
    counts: kinds.map((kind) => [kind, found.get(kind)?.length]),
    ids: all.slice((page - 1) * rowsPerPage, page * rowsPerPage),
    total: all.length,
    page,
    pages,
  }
}

async function idsOf({ deps: { seen: read } }: Visit, kind: ResultKind, text: string): Promise<FoundIds> {
  if (kind !== 'users') return await findRows(read, kind, text)
  const ids = JSON.stringify(await findUsers(read, text))
  return (await foundUsers(read, { ids })).map(({ id }) => id)
}

const rowsPerPage = 20

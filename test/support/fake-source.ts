import { SourceRefused } from '../../src/sources/fetch/refused'
import type { SourceFetch } from '../../src/sources/fetch/source-query'
import type { Known } from '../../src/sources/known'
import type { RunTools } from '../../src/sources/run/tools'
import { defineSource, ShapeError, type SourceRequest } from '../../src/sources/source'
import { type CatalogueStore, now, work } from './catalogue-store'

/** A page of a made-up site: titles by id, and the number of the next page. */
export interface Page {
  readonly works: Readonly<Record<string, string | object>>
  readonly next?: number
}

/** Requests page after page; its works have their own ids, and below 1000 also Annict's. */
export const pagedSource = defineSource<Page>({
  name: 'paged',
  title: 'Pages',
  licence: 'free',
  home: 'https://paged.example/',
  hosts: ['paged.example'],
  intervalMs: 86_400_000,
  pace: { perSecond: 100 },
  maxBytes: 1_000_000,
  settings: ['token'],
  matchTitles: false,
  *requests(scope, state) {
    let next: number | undefined = 1
    while (next !== undefined) {
      const page: Page = yield pageRequest(next)
      next = scope.limit === undefined ? page.next : undefined
    }
    return { runs: Number(state.runs ?? 0) + 1 }
  },
  read: async (_, body) => {
    const page: Page = JSON.parse(await body.text())
    if (typeof page.works !== 'object') throw new ShapeError('works', 'must be an object')
    return page
  },
  *lines(pages) {
    yield { type: 'catalogue', version: 1, name: 'paged', mode: 'upsert' }
    for (const { works } of pages)
      for (const [id, given] of Object.entries(works))
        yield { ...work(`paged:${id}`), ...(typeof given === 'string' ? { title: given } : given) }
  },
})

const pageRequest = (page: number): SourceRequest => ({
  url: `https://paged.example/${page}`,
  as: 'page',
  accept: ['application/json'],
})

/** The content of a fake site, by page; functions are called first. */
export interface Site {
  pages: Record<number, Page | string | SourceRefused>
  /** The pages requested, and whether a condition held. */
  asked: string[]
  /** Whether it sends ETags. */
  hasEtags: boolean
  onAsked?: (page: number) => void
}

export const siteOf = (pages: Site['pages']): Site => ({ pages, asked: [], hasEtags: true })

export const fetchFrom =
  (site: Site): SourceFetch =>
  async (_, { url }, { validators, keep }) => {
    const page = Number(url.split('/').at(-1))
    site.onAsked?.(page)
    const found = site.pages[page]
    if (found === undefined) throw new SourceRefused('unreachable', `no page ${page}`)
    if (found instanceof SourceRefused) throw found
    const text = typeof found === 'string' ? found : JSON.stringify(found)
    const etag = site.hasEtags ? `"${Bun.hash(text)}"` : null
    const isUnmodified = etag !== null && validators?.etag === etag
    site.asked.push(`${page}${isUnmodified ? ' unmodified' : ''}`)
    if (isUnmodified) return { kind: 'unmodified' }
    await keep(new Blob([text]).stream())
    return { kind: 'answer', bytes: text.length, etag, lastModified: null }
  }

export const nothingKnown: Known = {
  work: () => undefined,
  workIds: () => [],
  openWorkIds: () => [],
  onlyWork: () => undefined,
  watchedSeasons: () => [],
  hasBetterCredits: () => false,
  person: () => undefined,
  organization: () => undefined,
  character: () => undefined,
}

/** Tools on a database; `clock.now` moves only when a test moves it. */
export const runTools = ({ handle, read, write }: CatalogueStore, site: Site, clock = { now }): RunTools => ({
  store: { handle, read, write },
  fetch: fetchFrom(site),
  knownFrom: () => nothingKnown,
  now: () => clock.now,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  signal: new AbortController().signal,
})

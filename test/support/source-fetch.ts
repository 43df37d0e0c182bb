import type { FetchLimits } from '../../src/fetching/deadline'
import type { Outside } from '../../src/fetching/outside'
import { SourceRefused } from '../../src/sources/fetch/refused'
import { createSourceFetch } from '../../src/sources/fetch/source-fetch'
import type { FetchOptions } from '../../src/sources/fetch/source-query'
import { usualLimits } from '../../src/sources/fetch/web'
import { type AnySource, defineSource, type SourceRequest } from '../../src/sources/source'
import type { CatalogueStore } from './catalogue-store'

/** A source named made-up; its host is api.example. */
export const madeUp = (more: Partial<AnySource> = {}): AnySource =>
  defineSource({
    name: 'made-up',
    title: 'Made up',
    licence: 'none',
    home: 'https://example.com/',
    hosts: ['api.example'],
    intervalMs: undefined,
    pace: { perSecond: 1 },
    maxBytes: 1_000_000,
    settings: [],
    matchTitles: false,
    // biome-ignore lint/correctness/useYield: it asks nothing by itself
    *requests() {
      return {}
    },
    read: async () => undefined,
    lines: () => [],
    ...more,
  })

export interface FetchSetting {
  readonly store: Pick<CatalogueStore, 'write'>
  /** The server to use in place of https://api.example. */
  readonly base?: string
  readonly source?: Partial<AnySource>
  readonly limits?: Partial<FetchLimits>
  readonly outside?: Partial<Outside>
  readonly contact?: string
  readonly baseUrl?: string
  /** To use another clock. */
  now?(): number
}

export type AskOptions = Partial<FetchOptions> & Partial<SourceRequest>

/** A source fetch whose clock moves only while it sleeps, and how long it slept. */
export function fetching(setting: FetchSetting) {
  const { store, base, source, limits, outside, contact, now, baseUrl = 'https://log.example' } = setting
  const state = { now: Date.parse('2026-11-22T12:00:00Z'), slept: [] as number[] }
  const sleep: Outside['sleep'] = async (ms) => {
    state.slept.push(ms)
    state.now += ms
  }
  const resolve = async () => ['203.0.113.1']
  const fetch = createSourceFetch({
    write: store.write,
    now: now ?? (() => state.now),
    baseUrl,
    contact,
    env: { KIROKU_CATALOGUE_SOURCE_URL_MADE_UP: base },
    outside: { sleep, resolve, mayReach: () => false, steady: () => state.now, ...outside },
    limits: { ...usualLimits, ...limits },
  })
  /** Requests an address, by default accepting XML. */
  const ask = async (url: string, options: AskOptions = {}) => {
    const pieces: Uint8Array[] = []
    const keep = async (content: ReadableStream<Uint8Array>) => {
      for await (const piece of content) pieces.push(piece)
    }
    const { signal = new AbortController().signal, ...more } = options
    const request = { url, as: 'answer', accept: ['text/xml'], ...more }
    const given = { location: null, token: null, validators: null, keep, signal, ...more }
    const fetched = await fetch(madeUp(source), request, given)
    return { ...fetched, text: Buffer.concat(pieces).toString() }
  }
  return { ask, state }
}

/** Such as `refused: too slow`. */
export const refusal = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'taken',
    (cause) => (cause instanceof SourceRefused ? `${cause.kind}: ${cause.message}` : String(cause)),
  )

import { type Cache, createCache, createTableCache, type TableCache } from '../cache/cache'
import type { Deps } from '../deps'
import type { RequestContext } from '../http/incoming'
import type { Limits } from '../http/rate-limit'
import type { RawValues } from '../http/request-values'
import type { UploadedFile, UploadRules } from '../http/upload/receive'
import type { Metrics } from '../metrics/metrics'
import type { Scope, Viewer } from './bearer'
import type { CachedBody } from './body'
import type { Operation } from './openapi/openapi'
import { createRenderer, createRenderingCache, type Renderer } from './render'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** `/v1/…`, path parameters as `:id`. */
  readonly path: string
  readonly scope: Scope
  readonly operation: Operation
  /** The body is multipart with a file; the token must be sent outside it. */
  readonly upload?: UploadRules
  answer(call: ApiCall): Promise<Response>
}

export interface ApiCall {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewer: Viewer
  readonly sent: RawValues
  /** The last commit before anything of this request was read. */
  readonly at: number
  readonly bodies: TableCache<CachedBody>
  /** Whoever answers with a body that is kept under this key says so. */
  remember?(bodyKey: string): void
  /** The file of an upload; deleted once the answer is made. */
  readonly file?: UploadedFile
}

/** A URL that was answered with a list, and what is needed to answer it again. */
export interface KnownUrl {
  readonly token: string
  /** The template of the path. */
  readonly route: string
  /** The key of the answer in `SharedState.bodies`. */
  readonly body: string
  /** As of whoever asked: with a block, the same URL has another answer. */
  readonly hasBlock: boolean
}

export interface SharedState {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewers: TableCache<Viewer>
  readonly bodies: TableCache<CachedBody>
  /** By `Authorization` and URL, as they were sent. */
  readonly urls: Cache<string, KnownUrl>
}

export function createShared(deps: Deps): SharedState {
  const caches = {
    viewers: createTableCache<Viewer>(deps.generations, 1_000_000, () => 200),
    bodies: createTableCache<CachedBody>(deps.generations, 12_000_000, ({ size }) => size),
    // Some 2,000.
    urls: createCache<string, KnownUrl>(2_000_000, ({ body, token }) => 2 * (body.length + token.length)),
    renderings: createRenderingCache(),
  }
  if (deps.metrics !== undefined) measureCaches(deps.metrics, caches)
  const { renderings, ...rest } = caches
  return { deps, renderer: createRenderer(deps.readBare, deps.config, renderings), ...rest }
}

type Usage = ReturnType<Cache<string, unknown>['usage']>

/** The keys are the caches' names in the metrics. */
function measureCaches(
  { read }: Pick<Metrics, 'read'>,
  caches: Readonly<Record<string, { usage(): Usage }>>,
): void {
  const each = (figure: keyof Usage) => () =>
    Object.entries(caches).map(([cache, of]) => ({ labels: { cache }, value: of.usage()[figure] }))
  read('kiroku_cache_bytes', each('bytes'))
  read('kiroku_cache_capacity_bytes', each('capacity'))
  read('kiroku_cache_entries', each('entries'))
  read('kiroku_cache_hits_total', each('hits'))
  read('kiroku_cache_misses_total', each('misses'))
}

export interface EndpointRequest {
  readonly request: Request
  readonly params?: Readonly<Record<string, string>>
  readonly context: RequestContext
  readonly limits: Limits | undefined
}

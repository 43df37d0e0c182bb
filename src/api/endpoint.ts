import { type Cache, createTableCache, type TableCache } from '../cache/cache'
import type { Deps } from '../deps'
import type { Limits } from '../http/rate-limit'
import type { RequestContext } from '../http/request-context'
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
  /** The file of an upload; deleted once the answer is made. */
  readonly file?: UploadedFile
}

export interface SharedState {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewers: TableCache<Viewer>
  readonly bodies: TableCache<CachedBody>
}

export function createShared(deps: Deps): SharedState {
  const caches = {
    viewers: createTableCache<Viewer>(deps.generations, 1_000_000, () => 200),
    bodies: createTableCache<CachedBody>(deps.generations, 12_000_000, ({ size }) => size),
    renderings: createRenderingCache(),
  }
  if (deps.metrics !== undefined) measureCaches(deps.metrics, caches)
  const { renderings, ...rest } = caches
  return { deps, renderer: createRenderer(deps.read, deps.config, renderings), ...rest }
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

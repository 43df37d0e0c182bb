import type { Write } from '../../db/write'
import type { Validators } from '../../fetching/fetcher'
import type { Outside } from '../../fetching/outside'
import type { Environment } from '../../options/environment'
import type { AnySource, SourceRequest } from '../source'
import type { Limits } from './limits'

export interface SourceFetchTools {
  /** Of the database that holds `source_hosts`. */
  readonly write: Write
  /** Epoch milliseconds. */
  now(): number
  /** Of the instance, for the user agent. */
  readonly baseUrl: string
  /** Of the administrator, as `--catalogue-contact` gives it. */
  readonly contact: string | undefined
  /** Where `KIROKU_CATALOGUE_SOURCE_URL_<NAME>` is looked for. */
  readonly env: Environment
  /** The internet where it is left out. */
  readonly outside?: Outside
  readonly limits?: Limits
}

export interface FetchOptions {
  /** What the administrator has set: an https URL, or a folder or file of this machine. */
  readonly location: string | null
  readonly token: string | null
  /** What the source said with the answer that is kept, for a conditional request. */
  readonly validators: Validators | null
  readonly signal: AbortSignal
  /**
   * Takes the content after decompression, with back-pressure. Called once for an answer, else never. The content can end
   * in an error at any point: what was written is then of no use.
   */
  keep(content: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void>
}

export type Fetched =
  /** `bytes` after decompression. */
  ({ readonly kind: 'answer'; readonly bytes: number } & Validators) | { readonly kind: 'unmodified' }

export interface Asked {
  readonly source: AnySource
  readonly request: SourceRequest
  readonly options: FetchOptions
}

/**
 * Sends one request of a source, once its pace lets it, and repeats it when the source says so: it can take more than an
 * hour. Throws a `SourceRefused`, what `keep` throws, or the reason of `signal`.
 */
export type SourceFetch = (
  source: AnySource,
  request: SourceRequest,
  options: FetchOptions,
) => Promise<Fetched>

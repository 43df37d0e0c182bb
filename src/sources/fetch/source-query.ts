import type { Write } from '../../db/write'
import type { FetchLimits } from '../../fetching/deadline'
import type { Outside } from '../../fetching/outside'
import type { Validators } from '../../fetching/validators'
import type { Environment } from '../../options/environment'
import type { AnySource, SourceRequest } from '../source'

export interface SourceFetchTools {
  /** For the database with `source_hosts`. */
  readonly write: Write
  /** Epoch milliseconds. */
  now(): number
  /** The instance's base URL, for the user agent. */
  readonly baseUrl: string
  /** The administrator's contact, from `--catalogue-contact`. */
  readonly contact: string | undefined
  /** Where to look up `KIROKU_CATALOGUE_SOURCE_URL_<NAME>`. */
  readonly env: Environment
  /** By default the internet. */
  readonly outside?: Outside
  readonly limits?: FetchLimits
}

export interface FetchOptions {
  /** Set by the administrator: an https URL, or a folder or file on this machine. */
  readonly location: string | null
  readonly token: string | null
  /** Sent by the source with the stored answer, for a conditional request. */
  readonly validators: Validators | null
  readonly signal: AbortSignal
  /**
   * Receives the decompressed content, with back-pressure; called at most once, and only for an answer. The content may
   * fail at any point: whatever was written is then of no use.
   */
  keep(content: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void>
}

export type Fetched =
  /** `bytes` counts decompressed content. */
  ({ readonly kind: 'answer'; readonly bytes: number } & Validators) | { readonly kind: 'unmodified' }

export interface SourceQuery {
  readonly source: AnySource
  readonly request: SourceRequest
  readonly options: FetchOptions
}

/**
 * Sends one request once the source's pace allows it, and repeats it if the source says so: it may take more than an
 * hour. Throws a `SourceRefused`, whatever `keep` throws, or the reason of `signal`.
 */
export type SourceFetch = (
  source: AnySource,
  request: SourceRequest,
  options: FetchOptions,
) => Promise<Fetched>

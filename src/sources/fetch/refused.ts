import { type FetchProblem, FetchRefused } from '../../fetching/refused'
import { mask } from '../../lib/masked'

/**
 * `unreachable`: trying later may help (exit 75). `not_understood`: an answer of the wrong kind (65). `refused`: this
 * instance's rules forbid the request, or the source rejects it. `not_configured`: a token or a location is missing or
 * wrong (78).
 */
export type RefusalKind = 'unreachable' | 'not_understood' | 'refused' | 'not_configured'

/** Why a request to a source yielded nothing: one line, which never contains the token. */
export class SourceRefused extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message)
  }
}

/** A `FetchRefused` as a `SourceRefused`; anything else unchanged. */
export const refusalOf = (cause: unknown): unknown =>
  cause instanceof FetchRefused ? new SourceRefused(kinds[cause.problem], cause.message) : cause

const kinds: Readonly<Record<FetchProblem, RefusalKind>> = {
  not_allowed: 'refused',
  too_large: 'refused',
  unreachable: 'unreachable',
  too_slow: 'unreachable',
  broke_off: 'unreachable',
  damaged: 'not_understood',
}

/** Removes the token, however it got into the message: media types and hosts are in lower case there. */
export function withoutToken(cause: unknown, token: string | null): unknown {
  if (!(cause instanceof SourceRefused) || !token) return cause
  return new SourceRefused(cause.kind, cause.message.replaceAll(new RegExp(RegExp.escape(token), 'gi'), mask))
}

/**
 * `unreachable`: it may do so later (exit 75). `not_understood`: an answer, but none of the kind that was asked for (65).
 * `refused`: against the rules of this instance, or the source takes no request such as this one. `not_configured`:
 * a token or a location is missing or wrong (78).
 */
export type RefusalKind = 'unreachable' | 'not_understood' | 'refused' | 'not_configured'

/** Why nothing came of a request to a source: one line, which never holds the token. */
export class SourceRefused extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message)
  }
}

import { mask } from '../../lib/masked'

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

export const tooLarge = (maxBytes: number) => new SourceRefused('refused', `larger than ${maxBytes} bytes`)

/** Without the token, whatever brought it into the message: media types and hosts are in lower case there. */
export function withoutToken(cause: unknown, token: string | null): unknown {
  if (!(cause instanceof SourceRefused) || !token) return cause
  return new SourceRefused(cause.kind, cause.message.replaceAll(new RegExp(RegExp.escape(token), 'gi'), mask))
}

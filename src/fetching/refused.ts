/**
 * `not_allowed`: a rule forbids the request or its redirects. `unreachable` and `too_slow`: trying later may help.
 * `damaged`: the answer cannot be decompressed.
 */
export type FetchProblem = 'not_allowed' | 'unreachable' | 'too_slow' | 'broke_off' | 'too_large' | 'damaged'

/** Why a request yielded nothing. `why` is a few words; the message also names the host, if one was given. */
export class FetchRefused extends Error {
  constructor(
    readonly problem: FetchProblem,
    readonly why: string,
    { host, cause }: { readonly host?: string; readonly cause?: unknown } = {},
  ) {
    super(host === undefined ? why : `${host}: ${why}`, { cause })
  }
}

export const tooLarge = (maxBytes: number) => new FetchRefused('too_large', `larger than ${maxBytes} bytes`)

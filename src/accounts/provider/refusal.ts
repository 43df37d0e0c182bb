/**
 * attempt: not begun in this browser, over, or used. answer: the provider's answer breaks the protocol. stale: the
 * confirmation is of an earlier sign-in there. denied: cancelled there. group: of none of the groups. unknown: no account, and
 * none is made. disabled: the account is. other: confirmed as somebody else. taken: connected to another account.
 * unreachable: no answer, or discovery is wrong.
 */
export const providerProblems = {
  ...{ attempt: 400, answer: 400, stale: 400 },
  ...{ denied: 403, group: 403, unknown: 403, disabled: 403, other: 403 },
  ...{ taken: 409, unreachable: 503 },
} as const

export type ProviderProblem = keyof typeof providerProblems

/** `why` is for the log alone: a few words without code, state, token or claim. */
export class ProviderRefusal extends Error {
  constructor(
    readonly problem: ProviderProblem,
    readonly why: string,
    options?: ErrorOptions,
  ) {
    super(why, options)
  }
}

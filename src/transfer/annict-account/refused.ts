import type { Messages } from '../../messages/en'

export type AccountProblem =
  | 'wrong_token'
  | 'busy'
  | 'running'
  | 'unreachable'
  | 'too_slow'
  | 'redirect'
  | 'no_answer'
  | 'too_large'
  | 'endless'

export class AccountRefused extends Error {
  constructor(
    readonly problem: AccountProblem,
    options?: ErrorOptions,
  ) {
    super(problem, options)
    this.name = 'AccountRefused'
  }
}

export const accountSentence = ({ problem }: AccountRefused, t: Messages): string => t.annictAccount[problem]

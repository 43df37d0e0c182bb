import type { ErrorType } from '../http/errors'
import type { Message } from '../messages/languages'

export const titleOf =
  (type: ErrorType): Message =>
  (t) =>
    t.errorTitles[type]

/** Undefined where the error itself says more. */
export const explanationOf = (type: ErrorType): Message | undefined => explanations[type]

const explanations: Partial<Record<ErrorType, Message>> = {
  unknown_route: (t) => t.problem.unknownRoute,
  not_found: (t) => t.problem.notFound,
  rate_limited: (t) => t.problem.rateLimited,
  method_not_allowed: (t) => t.problem.methodNotAllowed,
}

import type { ApiError, ErrorType } from '../http/errors'
import type { Messages } from '../messages/en'
import { inEnglish, type Message } from '../messages/languages'

export class PageProblem extends Error {
  constructor(
    readonly status: number,
    readonly words: (t: Messages) => readonly [title: string, text: string],
    readonly headers: Readonly<Record<string, string>> = {},
    /** address: nothing is there, so offer the search. account: another one might see it. */
    readonly kind?: 'address' | 'account',
    /** What tells this problem from others of its status (`data-problem`), and the way out of it. */
    readonly special?: {
      readonly mark: string
      readonly way: { readonly path: string; readonly name: Message }
    },
  ) {
    super(inEnglish((t) => words(t)[0]))
  }
}

/** `field` is '' if the whole form is concerned. */
export class FormProblem extends Error {
  constructor(
    readonly field: string,
    readonly text: Message,
    readonly status = 422,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(inEnglish(text))
  }
}

/** Thrown to send another response, usually a redirect. */
export class AnswerInstead extends Error {
  constructor(readonly response: Response) {
    super('answered')
  }
}

/** The same for what does not exist and for what belongs to another user (AP-01). */
export const pageNotFound = () =>
  new PageProblem(404, (t) => [t.errorTitles.unknown_route, t.problem.notYours], {}, 'address')

/** A page that names the field, for one-button forms, which show no fields. */
export const namedProblem = ({ field, text, status }: FormProblem): PageProblem =>
  new PageProblem(status, (t) => [t.form.notUnderstood, `${field}${t.common.colon}${text(t)}`])

/** For errors that do not explain themselves. */
export const explanations: Partial<Record<ErrorType, Message>> = {
  unknown_route: (t) => t.problem.unknownRoute,
  not_found: (t) => t.problem.notFound,
  rate_limited: (t) => t.problem.rateLimited,
  payload_too_large: (t) => t.problem.tooLarge,
  method_not_allowed: (t) => t.problem.methodNotAllowed,
  internal_error: (t) => t.problem.internal,
}

/** Others explain themselves, in English. */
export const errorText = (t: Messages, { type, violations }: ApiError): string =>
  explanations[type]?.(t) ?? violations.join(' ')

import { inEnglish, type Message } from '../messages/languages'

/** A request that a page cannot serve, and what it tells the person instead. */
export class PageProblem extends Error {
  constructor(
    readonly status: number,
    readonly title: Message,
    readonly text: Message,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(inEnglish(title))
  }
}

/** What a form was sent cannot be accepted; `field` is '' when it is about the form as a whole. */
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

/** The answer is another one than what was asked for: a redirect, mostly. */
export class AnswerInstead extends Error {
  constructor(readonly response: Response) {
    super('answered')
  }
}

/** For what is not there and for what is somebody else's alike (AP-01). */
export const pageNotFound = () =>
  new PageProblem(
    404,
    (t) => t.errorTitles.unknown_route,
    (t) => t.problem.notYours,
  )

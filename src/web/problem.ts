import { type Words, words } from '../lib/words'

/** A request that a page cannot serve, and what it tells the person instead. */
export class PageProblem extends Error {
  constructor(
    readonly status: number,
    readonly title: Words,
    readonly text: Words,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(title.en)
  }
}

/** What a form was sent cannot be accepted; `field` is '' when it is about the form as a whole. */
export class FormProblem extends Error {
  constructor(
    readonly field: string,
    readonly words: Words,
    readonly status = 422,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(words.en)
  }
}

/** The answer is another one than what was asked for: a redirect, mostly. */
export class Instead extends Error {
  constructor(readonly response: Response) {
    super('answered')
  }
}

/** For what is not there and for what is somebody else's alike (AP-01). */
export const pageNotFound = () =>
  new PageProblem(
    404,
    words('There is nothing here', 'ページが見つかりません'),
    words(
      'This page does not exist, or it is somebody else’s.',
      'このページは存在しないか、ほかの人のものです。',
    ),
  )

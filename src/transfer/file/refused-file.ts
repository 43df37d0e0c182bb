import type { limits } from './limits'

export const fileProblems = [
  'empty',
  'truncated',
  'broken',
  'too_large',
  'too_many_members',
  'unrecognised',
  'unknown_columns',
  'html_page',
  'manga_list',
  'doctype',
  'unreadable_text',
] as const
export type FileProblem = (typeof fileProblems)[number]

/** Where a file is broken, lines counted from 1 and bytes from 0; which limit it exceeds; or what its columns are called. */
export type ProblemDetail =
  | { readonly line: number }
  | { readonly byte: number }
  | { readonly columns: readonly string[] }
  | keyof typeof limits

/** Why a file cannot be imported. `refusalSentence` puts it into words. */
export class RefusedFile extends Error {
  constructor(
    readonly problem: FileProblem,
    readonly detail?: ProblemDetail,
  ) {
    super(detail === undefined ? problem : `${problem}: ${JSON.stringify(detail)}`)
    this.name = 'RefusedFile'
  }
}

export const fileProblems = [
  'empty',
  'truncated',
  'broken',
  'too_large',
  'too_many_members',
  'unrecognised',
  'html_page',
  'manga_list',
  'doctype',
  'unreadable_text',
] as const
export type FileProblem = (typeof fileProblems)[number]

/** Why no import can be made of a file. */
export class RefusedFile extends Error {
  constructor(
    readonly problem: FileProblem,
    /** Where or how much, in English: `line 12`, `byte 4,096`, `more than 64 MiB unpacked`. */
    readonly detail?: string,
  ) {
    super(detail === undefined ? problem : `${problem}: ${detail}`)
    this.name = 'RefusedFile'
  }
}

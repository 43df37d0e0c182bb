import { Failure } from './failure'
import type { Words } from './words'

/** A value somebody gave that cannot be: it breaks a rule (`usage`), or does not fit what is there already (`data`). */
export class FieldProblem extends Failure {
  constructor(
    kind: 'usage' | 'data',
    /** The name of its input where a form asks for it. */
    readonly field: string,
    /** As the pages say it; the command line says it in English. */
    readonly words: Words,
  ) {
    super(kind, words.en)
  }
}

/** The problems that some checks throw, all of them. */
export function problemsOf(...checks: readonly (() => unknown)[]): readonly FieldProblem[] {
  return checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (cause) {
      if (cause instanceof FieldProblem) return [cause]
      throw cause
    }
  })
}

import { en, type Messages } from '../messages/en'
import type { RefusedFile } from './file/refused-file'
import { sourceNames } from './source-names'

export function refusalSentence({ problem, detail }: RefusedFile, t: Messages): string {
  if (typeof detail === 'string') return t.fileLimits[detail]
  if (problem === 'unrecognised') return t.refusedFile.unrecognised(Object.values(sourceNames))
  return problem === 'broken' ? t.refusedFile.broken(detail) : t.refusedFile[problem]
}

/** For developers: `truncated: The file is cut off: …`. */
export const refusalText = (refused: RefusedFile): string =>
  `${refused.problem}: ${refusalSentence(refused, en)}`

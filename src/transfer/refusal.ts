import { en, type Messages } from '../messages/en'
import type { RefusedFile } from './file/refused-file'
import { tableFields } from './readers/table/columns'
import { sourceNames } from './sources'

export function refusalSentence({ problem, detail }: RefusedFile, t: Messages): string {
  if (typeof detail === 'string') return t.fileLimits[detail]
  if (typeof detail === 'object' && 'columns' in detail)
    return t.refusedFile.unknown_columns(shown(detail.columns))
  if (problem === 'unknown_columns') return t.refusedFile.unknown_columns([])
  if (problem === 'unrecognised') return t.refusedFile.unrecognised(Object.values(sourceNames))
  return problem === 'broken' ? t.refusedFile.broken(detail) : t.refusedFile[problem]
}

/** For developers: `truncated: The file is cut off: …`. */
export const refusalText = (refused: RefusedFile): string =>
  `${refused.problem}: ${refusalSentence(refused, en)}${refused.problem === 'unknown_columns' ? howToName : ''}`

const howToName = ` Say which column is which by name or number with columns, as in title=1,status=3,rating=Score or title=1,status=:watched. It may be: ${tableFields.join(', ')}.`

/** A table may have a thousand long ones. */
const shown = (columns: readonly string[]) => [
  ...columns.slice(0, 30).map((name) => (name.length > 50 ? `${name.slice(0, 50)}…` : name)),
  ...(columns.length > 30 ? ['…'] : []),
]

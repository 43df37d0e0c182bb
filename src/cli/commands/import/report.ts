import { Failure } from '../../../lib/failure'
import type { ListImport } from '../../../transfer/batch/list-import'
import { rowStates } from '../../../transfer/plan/planned-row'
import { favorites } from '../../../transfer/row'

const counted = (count: number, one: string, several = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** Text on what a preview would do, or an import did. */
export function reportText(one: ListImport): string {
  const { records, statuses, reviews, listed } = one.sums
  const rows = rowStates
    .filter((state) => one.counts[state] > 0)
    .map((state) => `${one.counts[state]} ${state}`)
  const adds = [
    counted(records, 'record'),
    counted(statuses, 'status', 'statuses'),
    counted(reviews, 'review'),
    ...(one.lists.length > 0 ? [counted(listed, 'work in lists', 'works in lists')] : []),
  ]
  return [
    `${one.fileName}: a list of ${one.source}`,
    ...(one.isPart ? ['warning: this file is one page of a longer list: import the other pages too'] : []),
    `rows: ${rows.join(', ') || 'none'}`,
    `${one.state === 'preview' ? 'would add' : 'added'}: ${adds.join(', ')}`,
    ...one.lists.map(listLine),
  ].join('\n')
}

const listLine = ({ name, works, known, isLeftOut }: ListImport['lists'][number]): string =>
  `list ${name === favorites ? 'of favorites' : name}: ${isLeftOut ? 'left out' : `${known} of ${counted(works, 'work')}`}`

/** The question to answer before an import can be applied. */
export function questionText(open: 'score_format' | 'user', { asks }: ListImport): string {
  if (open === 'score_format')
    return 'the file does not tell the scale of its scores: say it with --score-format'
  const users = asks.find(({ name }) => name === open)?.options ?? []
  return `the file is of several people: say which one is meant with --user (${users.join(', ')})`
}

/** The number of rows that somebody has to look at. */
export const leftOver = ({ counts }: ListImport): number => counts.check + counts.not_found + counts.error

/** Throws an `io` failure if the import failed. */
export function requireDone(one: ListImport): ListImport {
  if (one.state !== 'failed') return one
  throw new Failure('io', `import ${one.id} failed: ${one.error}; try it again, or undo it`)
}

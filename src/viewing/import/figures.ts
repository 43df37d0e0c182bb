import type { PageContext } from '../../pages/layout'
import type { ListImport } from '../../transfer/batch/list-import'

/** `4,918` */
export const figure = ({ t }: PageContext, count: number): string => count.toLocaleString(t.language.locale)

/** Rows that are or will be imported. Those that differ may change nothing, as what is here is kept. */
export const takenOf = ({ changing }: ListImport): number => changing

/** Rows that are not imported. */
export const leftOverOf = ({ counts }: ListImport): number =>
  counts.check + counts.not_found + counts.skipped + counts.error

export const rowsOf = ({ counts }: ListImport): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** `4,918 episodes, 405 statuses`; '' if there are none. */
export function sumsText(pageContext: PageContext, sums: ListImport['sums']): string {
  const { t } = pageContext
  return (['records', 'statuses', 'reviews'] as const)
    .filter((kind) => sums[kind] > 0)
    .map((kind) => t.listImports.sums[kind](figure(pageContext, sums[kind]), sums[kind]))
    .join(t.common.comma)
}

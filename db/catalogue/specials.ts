import type { Correction } from '../../src/catalogue/default/sources'
import type { WorkLine } from '../../src/catalogue/default/work-line'

/** Episodes that a count includes beyond the main ones, according to the `main` of a correction. */
export const specialLines = (works: readonly Corrected[]) =>
  works.flatMap(({ work: { correction }, line }) => {
    const { key, episodes_estimate: count = 0 } = line
    const main = correction?.main ?? count
    return Array.from({ length: Math.max(0, count - main) }, (_, at) => special(key, main + at + 1))
  })

interface Corrected {
  readonly work: { readonly correction: Correction | undefined }
  readonly line: Pick<WorkLine, 'key' | 'episodes_estimate'>
}

const special = (work: string, number: number) => ({
  type: 'episode' as const,
  key: `${work}#${number}`,
  work,
  number: String(number),
  number_text: '番外編',
  sort_number: number * 10,
  estimated: true,
})

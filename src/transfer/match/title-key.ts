import { writtenKey } from '../../catalogue/search/keys/written-key'
import { seasonIn } from '../../catalogue/search/ways/season'
import { fold } from '../../lib/fold'

/**
 * Equal for titles of the same work, however they are written and whatever word they use for the season. Works that
 * differ only in punctuation (けいおん！, けいおん!!) share a key, and so do remakes: the year has to tell them apart. With years
 * at most one apart, 90.8 % of 7,539 titles of bangumi-data find a work, and 99.2 % of those the right one.
 */
export function titleKey(title: string): string {
  const plain = withoutLabels(title)
  const said = seasonIn(plain)
  const numbered = typeof said?.season === 'number' ? said : undefined
  const letters = writtenKey(numbered?.base ?? plain)
  return `${letters === '' ? fold(plain) : letters}#${numbered?.season ?? 1}${numbered?.isPart ? 'p' : ''}`
}

/** Removes words that only name the medium or the year of a remake. */
const withoutLabels = (title: string): string =>
  title
    .normalize('NFKC')
    .replace(/^(?:TVアニメ|アニメ|OVA|OAD|劇場版|映画)\s*/i, '')
    .replace(/\((?:映画|劇場版|OVA|TV|\d{4}年?版)\)/gi, ' ')
    .replaceAll('×', 'x')

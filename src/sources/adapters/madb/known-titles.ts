import { titleText } from '../../../catalogue/title-key'
import type { Known } from '../../known'
import type { Resource } from './resources'

/** Finds the Annict id of the only work with this title in any notation, this medium, and a year at most one apart. */
export function titledWorks(known: Known): (resource: Resource) => string | undefined {
  const listed = [...known.workIds('annict')].flatMap((annict) => {
    const work = known.work('annict', annict)
    return work?.seasonYear == null ? [] : [{ annict, year: work.seasonYear, ...work }]
  })
  const byTitle = Map.groupBy(listed, ({ media, title }) => `${media} ${titleText(title)}`)
  return ({ media, title, year }) => {
    const near = byTitle
      .get(`${media} ${titleText(title)}`)
      ?.filter((work) => Math.abs(work.year - year) <= 1)
    const [only, another] = near ?? []
    return another === undefined ? only?.annict : undefined
  }
}

import { joinFacts } from '../../src/catalogue/default/join'
import type { Correction, JoinSources } from '../../src/catalogue/default/sources'
import { siteId } from '../../src/catalogue/default/sources'
import { workLines } from '../../src/catalogue/default/work-lines'
import { worksOf } from '../../src/catalogue/default/works'

/** Corrections of the packages that change nothing, as these say so by now: their reasons. */
export function needlessCorrections(sources: JoinSources): string[] {
  const bare = { ...sources, corrections: [] }
  const joined = joinFacts(bare)
  const { works } = workLines(worksOf(bare, joined), bare)
  const isLinked = ({ bangumi, title, annict }: Correction) => {
    const item = bare.items.find((one) =>
      bangumi === undefined ? one.title === title : siteId(one, 'bangumi') === String(bangumi),
    )
    return item !== undefined && (joined.facts.get(item)?.annict ?? null) === annict
  }
  const isNeedless = (correction: Correction) => {
    const { bangumi, title, annict, episodes, main } = correction
    if ((bangumi !== undefined || title !== undefined) && annict !== undefined && !isLinked(correction))
      return false
    const line = works.find(({ line: { ids } }) =>
      typeof annict === 'number' ? ids.annict === annict : ids.bangumi === bangumi,
    )?.line
    if (line === undefined) return false
    const { ids, episodes_estimate: count } = line
    return (
      (['mal', 'anilist', 'anidb'] as const).every((site) =>
        [undefined, ids[site]].includes(correction[site]),
      ) &&
      (episodes === undefined || (count ?? null) === episodes) &&
      (main === undefined || (count ?? 0) <= main)
    )
  }
  return sources.corrections.filter(isNeedless).map(({ reason }) => reason)
}

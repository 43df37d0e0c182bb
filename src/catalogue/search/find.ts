import type { Read } from '../../db/open'
import { pieceOfWork } from '../../lib/turns'
import { wordsOf } from './keys/words'
import { ranked } from './ranked'
import type { SearchKind } from './texts'
import { preferSameMarks } from './ways/as-written'
import { findByAddress } from './ways/by-address'
import { findBySeason } from './ways/by-season'
import { findBySomeWords, findByWords } from './ways/by-words'
import { findByYear } from './ways/by-year'
import { raiseFirstParts } from './ways/first-parts'
import { findNeighbours } from './ways/neighbours'
import { findNamed } from './ways/nicknamed'
import { endsInShortWord, findByPieces } from './ways/pieces'
import { Hits, scores } from './ways/scores'
import { siblingsOf } from './ways/siblings'
import { findTypos, findTyposInside } from './ways/typos'

/**
 * Ids of visible rows, at most 1,000, best first unless `isRanked` is false. A row's texts have keys for spelling and for
 * sound (`keys`); each of `ways` looks rows up by the keys of the text and scores them. Less certain ways run only if
 * there are no better hits. Each runs as a piece of work, as some take long.
 */
export async function findRows(
  read: Read,
  kind: SearchKind,
  text: string,
  isRanked = true,
): Promise<readonly number[]> {
  const hits = new Hits()
  const isAddress = kind === 'works' && (await findByAddress(read, text, hits))
  if (!isAddress) await findByText(read, kind, text, hits)
  return await pieceOfWork(() => ranked(read, kind, hits, isRanked))
}

async function findByText(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  await pieceOfWork(() => findNamed(read, kind, text, hits))
  const isNamed = hits.best >= scores.beginning
  if (kind === 'works') {
    await pieceOfWork(() => findBySeason(read, text, hits))
    if (await findByYear(read, text, hits, (base, found) => findByText(read, kind, base, found))) return
  }
  const search = (way: Way) => pieceOfWork(() => way(read, kind, text, hits))
  if (!isNamed) await search(findByWords)
  const isGood = hits.best >= scores.inside - scores.name - scores.sound
  if (!isGood || (!isNamed && endsInShortWord(text))) await search(findByPieces)
  if (hits.best < scores.words) await search(findApart)
  if (hits.best < scores.words) await search(findTypos)
  if (hits.best === 0) {
    await search(findBySomeWords)
    await search(findTyposInside)
    await search(findNeighbours)
  }
  if (kind === 'works') await pieceOfWork(() => completeWorks(read, text, hits))
}

type Way = typeof findByWords

async function completeWorks(read: Read, text: string, hits: Hits): Promise<void> {
  await raiseFirstParts(read, hits)
  await preferSameMarks(read, text, hits)
  for (const [row, score] of await siblingsOf(read, hits)) hits.add(row, score)
}

/** 鬼滅むげんれっしゃ and けいおん映画: searches as if there were spaces between scripts. */
async function findApart(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  const apart = wordsOf(text).join(' ')
  if (!apart.includes(' ') || apart === text) return
  if (kind === 'works') await findBySeason(read, apart, hits)
  await findByWords(read, kind, apart, hits)
}

import type { Read } from '../../db/open'
import { ranked } from './ranked'
import type { SearchKind } from './texts'
import { findByAddress } from './ways/by-address'
import { findBySeason } from './ways/by-season'
import { findByWords } from './ways/by-words'
import { findNeighbours } from './ways/neighbours'
import { findNamed } from './ways/nicknamed'
import { findByPieces } from './ways/pieces'
import { Hits, scores } from './ways/scores'
import { siblingsOf } from './ways/siblings'
import { findTypos } from './ways/typos'

/**
 * The ids of the shown rows that a text finds, the best first, at most a thousand.
 *
 * Every text of a row has keys (`keys`): as it is written and as it sounds, without what spellings differ in. A text is
 * looked up by its own keys, which one of `ways` after the other does: the key is the whole text, begins with it or holds
 * it; its words do; it names a season. What is less certain, abbreviations, then typos, then no more than a common
 * beginning, is only looked for where nothing better was found. Each way gives rows a score; of equals popularity
 * decides (`ranked`).
 */
export async function findRows(read: Read, kind: SearchKind, text: string): Promise<readonly number[]> {
  const hits = new Hits()
  const isAddress = kind === 'works' && (await findByAddress(read, text, hits))
  if (!isAddress) await findByText(read, kind, text, hits)
  return await ranked(read, kind, hits)
}

async function findByText(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  await findNamed(read, kind, text, hits)
  const isNamed = hits.best >= scores.beginning
  if (kind === 'works') await findBySeason(read, text, hits)
  if (!isNamed) await findByWords(read, kind, text, hits)
  if (hits.best < scores.inside - scores.name - scores.sound) await findByPieces(read, kind, text, hits)
  if (hits.best < scores.words) await findTypos(read, kind, text, hits)
  if (hits.best === 0) await findNeighbours(read, kind, text, hits)
  if (kind === 'works') for (const [row, score] of await siblingsOf(read, hits)) hits.add(row, score)
}

import { jsonIn, shapeOf } from '../../json-answer'
import { type AnswerBody, ShapeError, TokenRefused } from '../../source'
import {
  type AnnictEpisode,
  type AnnictWork,
  datesShape,
  episodesShape,
  errorsShape,
  type PageInfo,
  worksShape,
} from './shapes'

export interface ReleaseDate {
  readonly id: number
  readonly released_on?: string | null
  readonly released_on_about?: string | null
}

/** `next` is the cursor of the next page. `more` holds episodes beyond a work's first page. */
export type AnnictAnswer =
  | { readonly as: 'works'; readonly works: readonly AnnictWork[]; readonly next: string | undefined }
  | { readonly as: 'episodes'; readonly more: readonly MoreEpisodes[] }
  | { readonly as: 'dates'; readonly dates: readonly ReleaseDate[] }

export interface MoreEpisodes {
  readonly work: number
  readonly episodes: readonly AnnictEpisode[]
  readonly next: string | undefined
}

export async function readAnswer(as: string, body: AnswerBody): Promise<AnnictAnswer> {
  const json = await jsonIn('the answer', body)
  if (as === 'dates') return { as, dates: datesIn(json).works }
  refuseErrors(json)
  if (as === 'works') {
    const { nodes, pageInfo } = worksIn(json).data.searchWorks
    return { as, works: nodes, next: nextIn(pageInfo) }
  }
  const { nodes } = episodesIn(json).data.searchWorks
  const more = nodes.map(({ annictId, episodes }) => ({
    work: annictId,
    episodes: episodes.nodes,
    next: nextIn(episodes.pageInfo),
  }))
  return { as: 'episodes', more }
}

export const nextIn = ({ hasNextPage, endCursor }: PageInfo): string | undefined =>
  hasNextPage && endCursor !== null ? endCursor : undefined

/** GraphQL reports errors with status 200. */
function refuseErrors(json: unknown): void {
  if (typeof json !== 'object' || json === null || !('errors' in json)) return
  const message = errorsIn(json).errors[0]?.message ?? ''
  const shown = JSON.stringify(message.slice(0, 200).toWellFormed())
  if (aboutToken.test(message)) throw new TokenRefused(`Annict does not take the token: ${shown}`)
  throw new ShapeError('the answer', `must not have errors, and says ${shown}`)
}

const aboutToken =
  /\b(?:not|un)\s?-?authori[sz]ed\b|\bunauthenticated\b|\btoken (?:is|was|has)\b|\binsufficient.?scope|\bforbidden\b/i

const worksIn = shapeOf('the answer', worksShape)
const episodesIn = shapeOf('the answer', episodesShape)
const datesIn = shapeOf('the answer', datesShape)
const errorsIn = shapeOf('the answer', errorsShape)

import Type, { type Static } from 'typebox'
import { checkOf } from '../../../values/value'
import { type CatalogueLine, ShapeError } from '../../source'

const Episode = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  subject_id: Type.Integer({ minimum: 1 }),
  type: Type.Integer(),
  sort: Type.Number({ minimum: 0, maximum: 100_000 }),
  name: Type.String(),
})

export interface MainEpisode extends Static<typeof Episode> {
  /** `before`: how many numbers precede the work's own. */
  line(before: number): CatalogueLine
}

/** Undefined for specials, openings, endings and trailers. */
export function readEpisode(value: unknown): MainEpisode | undefined {
  if (!isShaped(value)) throw new ShapeError('episode.jsonlines', 'has an episode of another shape')
  return value.type === main ? { ...value, line: (before) => lineOf(value, before) } : undefined
}

const isShaped = checkOf(Episode)
const main = 0

function lineOf({ id, subject_id, sort, name }: Static<typeof Episode>, before: number): CatalogueLine {
  const number = Math.round((sort - before) * 10) / 10
  return {
    type: 'episode',
    key: `bangumi:${id}`,
    ids: { bangumi: id },
    work: `bangumi:${subject_id}`,
    number: String(number),
    number_text: `第${number}話`,
    sort_number: Math.round(number * 10),
    ...(name.trim() !== '' && { title: name.trim() }),
  }
}

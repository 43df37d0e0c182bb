import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { type AnswerBody, ShapeError } from './source'

/** Reads answers in JSON of a known shape. `where` is what the answer is called in a `ShapeError`. */
export function jsonReader<S extends TSchema>(
  where: string,
  schema: S,
): (body: AnswerBody) => Promise<Static<S>> {
  const shape = Compile(schema)
  const isShaped = (json: unknown): json is Static<S> => shape.Check(json)
  return async (body) => {
    const json = parsed(where, await body.text())
    if (isShaped(json)) return json
    const [, problems] = shape.Errors(json)
    // What a whole union says of a value comes after what its parts say.
    const problem = problems.findLast(({ instancePath }) => instancePath === problems[0]?.instancePath)
    throw new ShapeError(`${where}${pathOf(problem?.instancePath ?? '')}`, problem?.message ?? 'is unknown')
  }
}

function parsed(where: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ShapeError(where, 'must be JSON')
  }
}

/** `/works/3/id` → `.works[3].id` */
const pathOf = (pointer: string) => pointer.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')

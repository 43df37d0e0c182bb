import type { Static, TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { parseJson } from '../catalogue/import/file/json'
import { checkOf } from '../values/value'
import { type AnswerBody, ShapeError } from './source'

/** `where` names the answer in a `ShapeError`. */
export async function jsonIn(where: string, body: AnswerBody): Promise<unknown> {
  const value = parseJson(await body.text())
  if (value === undefined) throw new ShapeError(where, 'must be JSON')
  return value
}

/** Checks an answer; throws a `ShapeError` that names the first value with a wrong shape. */
export function shapeOf<S extends TSchema>(where: string, schema: S): (json: unknown) => Static<S> {
  const isShaped = checkOf(schema)
  return (json) => {
    if (isShaped(json)) return json
    const [, problems] = Errors(schema, json)
    // Problems of a union come after those of its parts.
    const problem = problems.findLast(({ instancePath }) => instancePath === problems[0]?.instancePath)
    throw new ShapeError(`${where}${pathOf(problem?.instancePath ?? '')}`, problem?.message ?? 'is unknown')
  }
}

/** `/works/3/id` → `.works[3].id` */
const pathOf = (pointer: string) => pointer.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')

export function jsonReader<S extends TSchema>(
  where: string,
  schema: S,
): (body: AnswerBody) => Promise<Static<S>> {
  const shaped = shapeOf(where, schema)
  return async (body) => shaped(await jsonIn(where, body))
}

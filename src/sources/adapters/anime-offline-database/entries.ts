import Type, { type Static } from 'typebox'
import { isObject } from '../../../catalogue/import/file/json'
import { checkOf } from '../../../values/value'
import { jsonLines } from '../../packed/json-lines'
import { ShapeError } from '../../source'

const Entry = Type.Object({
  sources: Type.Array(Type.String()),
  title: Type.String(),
  episodes: Type.Integer({ minimum: 0 }),
  synonyms: Type.Array(Type.String()),
})

export type Entry = Static<typeof Entry>

/** Reads JSON Lines whose first line describes the file. */
export async function* entriesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let number = 0
  for await (const value of jsonLines('the file', content, maxBytes)) {
    number += 1
    if (number === 1) {
      if (!isHead(value)) throw new ShapeError('the file', 'is no anime-offline-database in JSON Lines')
      continue
    }
    if (!isShaped(value)) throw new ShapeError(`the file, entry ${number - 1},`, 'has another shape')
    yield value
  }
  if (number === 0) throw new ShapeError('the file', 'is empty')
}

const isShaped = checkOf(Entry)
const maxBytes = 2 ** 30

const isHead = (value: unknown) => isObject(value) && 'license' in value && 'lastUpdate' in value

import { matching } from './text'
import { mapped, type Value } from './value'

const mostIds = 500

/** Comma-separated (D9): at most 500 ids of at most 15 digits. Empty items are ignored. */
export const idList: Value<readonly number[]> = mapped(
  matching(`^,*(?:[0-9]{1,15}(?:,+[0-9]{1,15}){0,${mostIds - 1}},*)?$`, (t, json) => {
    const text = String(json)
    if (!/^[0-9,]*$/.test(text)) return t.values.ids
    return piecesOf(text).length > mostIds ? t.values.mostIds(mostIds) : t.values.longIds
  }),
  (text) => piecesOf(text).map(Number),
)

/** Comma-separated, without duplicates. Empty items are ignored. */
export function wordList<const W extends string>(words: readonly W[]): Value<readonly W[]> {
  const word = `(?:${words.join('|')})?`
  const text = matching(`^${word}(?:,${word})*$`, (t) => t.values.wordsOf(words))
  return mapped(text, (list) => {
    const pieces = new Set(piecesOf(list))
    return [...pieces].flatMap((piece) => words.filter((one) => one === piece))
  })
}

const piecesOf = (text: string): readonly string[] => text.split(',').filter((piece) => piece !== '')

import { type RawValues, textOrBlank } from '../../http/request-values'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'

/** Ids of works from checkboxes named `work_10079`, and of works on other pages, comma-separated in `works`. */
export function chosenIn(sent: RawValues): readonly number[] {
  const names = [...sent.keys()].filter((name) => name.startsWith('work_'))
  const texts = names.map((name) => name.slice('work_'.length))
  return idsIn([...texts, ...textOrBlank(sent, 'works').split(',')])
}

export const idsIn = (texts: readonly string[]): readonly number[] =>
  texts.flatMap((text) => readIfValid(positiveInteger, text) ?? [])

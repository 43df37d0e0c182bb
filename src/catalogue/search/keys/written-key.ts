import { fold, withoutMarks } from '../../../lib/fold'
import { kanjiForms } from './kanji-forms'

/** Folded (D17), without punctuation; small kana, diacritics and kanji variants are unified. Idempotent. */
export const writtenKey = (text: string): string => writtenForm(withoutMarks(fold(text)))

/** For a folded text without punctuation; keeps spaces. */
export function writtenForm(folded: string): string {
  if (isPlain.test(folded)) return folded
  forms ??= formsOf()
  return folded
    .replace(alikeKana, (letter) => kana.get(letter) ?? letter)
    .replace(forms.any, (letter) => forms?.one.get(letter) ?? letter)
    .replace(/[ß-ɏḀ-ỿ]/g, (letter) => letter.normalize('NFD'))
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[ßæøđıłœ]/g, (letter) => latin.get(letter) ?? letter)
}

const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from({ length: text.length / 2 }, (_, at) => [text.charAt(2 * at), text.charAt(2 * at + 1)]))

const isPlain = /^[a-z0-9 ]*$/
const kana = pairsOf('ぁあぃいぅうぇえぉおっつゃやゅゆょよゎわゕかゖけづずぢじゑえゐいをお')
const alikeKana = /[ぁぃぅぇぉっゃゅょゎゕゖづぢゑゐを]/g
const latin = new Map([
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
])

let forms: ReturnType<typeof formsOf> | undefined

function formsOf() {
  const one = pairsOf(kanjiForms)
  return { one, any: new RegExp(`[${[...one.keys()].join('')}]`, 'g') }
}
